// That the service does not answer, once for the whole page.

import { Icon } from '../parts/icons.tsx';
import { useAway } from './use-away.ts';

export function AwayNote() {
  const isAway = useAway();
  return (
    <div className="away" role="status">
      {isAway && (
        <p>
          <Icon name="problem" />
          Doorward is unavailable. This page may be out of date, and updates when the connection is back.
        </p>
      )}
    </div>
  );
}

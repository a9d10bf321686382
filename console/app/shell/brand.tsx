// The mark and the name.

import { Icon } from '../parts/icons.tsx';

export function Brand() {
  return (
    <>
      <span className="brand-mark">
        <Icon name="door" />
      </span>
      Doorward
    </>
  );
}

// What the parts of a picture are, and how much each of them is.

import { Link } from '../../router.tsx';
import { countText } from '../numbers.ts';
import type { PartName } from './picture.ts';

export type LegendPart = {
  readonly name: PartName;
  readonly label: string;
  /** Null where there is no one number. */
  readonly count: number | null;
  /** Where one finds them. */
  readonly href?: string;
};

export function Legend({ parts }: { readonly parts: readonly LegendPart[] }) {
  return (
    <ul className="chart-legend">
      {parts.map(({ name, label, count, href }) => (
        <li key={name} data-part={name}>
          {count !== null && <b>{countText(count)}</b>}{' '}
          {href === undefined || count === 0 ? label : <Link href={href}>{label}</Link>}
        </li>
      ))}
    </ul>
  );
}

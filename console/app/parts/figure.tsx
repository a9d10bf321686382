// A number that matters, what it counts, and the list behind it. `Figures` lays several out beside each other.

import type { ReactNode } from 'react';
import { Link } from '../router.tsx';
import { Icon, type IconName } from './icons.tsx';

type FigureProps = {
  readonly label: string;
  readonly value: ReactNode;
  /** Under the value: a trend, a part of it. */
  readonly note?: ReactNode;
  readonly href?: string;
  readonly icon?: IconName;
  /** For a value that asks for somebody's attention. */
  readonly tone?: 'bad' | 'warn' | undefined;
};

export function Figure({ label, value, note, href, icon, tone }: FigureProps) {
  const inside = (
    <>
      <span className="figure-label">
        {label}
        {icon !== undefined && <Icon name={icon} />}
      </span>
      <span className="figure-value">{value}</span>
      {note !== undefined && <span className="figure-note">{note}</span>}
    </>
  );
  if (href === undefined)
    return (
      <div className="figure" data-tone={tone}>
        {inside}
      </div>
    );
  return (
    <Link className="figure" data-tone={tone} href={href}>
      {inside}
    </Link>
  );
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return <div className="figures">{children}</div>;
}

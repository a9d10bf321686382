// A state in one word; never by colour alone: each tone has a shape of its own.

import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'warn' | 'neutral';

type BadgeProps = { readonly children: ReactNode } & (
  | { readonly good: boolean; readonly tone?: never }
  | { readonly good?: never; readonly tone: Tone }
);

export function Badge({ good, tone = good ? 'good' : 'bad', children }: BadgeProps) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

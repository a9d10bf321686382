// Something to know before going on.

import type { ReactNode } from 'react';
import { Icon } from './icons.tsx';

type NoteProps = { readonly tone?: 'plain' | 'good' | 'warn'; readonly children: ReactNode };

export function Note({ tone = 'plain', children }: NoteProps) {
  return (
    <div className="note" data-tone={tone}>
      <Icon name={ICONS[tone]} />
      {children}
    </div>
  );
}

const ICONS = { plain: 'info', good: 'check', warn: 'warning' } as const;

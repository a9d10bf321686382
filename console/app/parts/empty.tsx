// A place where nothing is yet: says what would be here, and how it gets there.

import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

type EmptyProps = { readonly title: string; readonly icon?: IconName; readonly children: ReactNode };

export function Empty({ title, icon = 'door', children }: EmptyProps) {
  return (
    <div className="empty">
      <span className="empty-mark">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

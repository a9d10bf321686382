// A button that saves a text of the page as a file. Nothing is asked of the service for it.

import type { ReactNode } from 'react';
import { Icon } from '../parts/icons.tsx';

type SaveFileProps = {
  readonly name: string;
  readonly text: string;
  /** PEM unless said. */
  readonly type?: string;
  readonly onSave?: () => void;
  readonly children: ReactNode;
};

export function SaveFile({ name, text, type = 'application/x-pem-file', onSave, children }: SaveFileProps) {
  const save = () => {
    const href = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement('a');
    link.href = href;
    link.download = name;
    link.click();
    onSave?.();
    // The browser has taken it by the next turn.
    setTimeout(() => URL.revokeObjectURL(href));
  };
  return (
    <button type="button" onClick={save}>
      <Icon name="download" />
      {children}
    </button>
  );
}

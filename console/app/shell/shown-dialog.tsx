// A dialog that is there as long as it is shown: it opens by itself, and closes by Escape, by a click beside
// it, and by what is in it.

import { type ReactNode, useEffect, useRef } from 'react';
import './go-to.css';

type ShownDialogProps = {
  readonly label: string;
  readonly className: string;
  /** It is closed: whoever shows it takes it away. */
  readonly closed: () => void;
  readonly children: (close: () => void) => ReactNode;
};

export function ShownDialog({ label, className, closed, children }: ShownDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      onClose={closed}
      onClick={(event) => event.target === dialog.current && close()}
    >
      {children(close)}
    </dialog>
  );
}

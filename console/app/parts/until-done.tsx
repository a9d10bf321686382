// A dialog that only its button closes: what it shows cannot be shown again.

import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

type UntilDoneProps = {
  readonly title: string;
  readonly about: ReactNode;
  readonly children: ReactNode;
  readonly done: ReactNode;
  readonly close: () => void;
};

/** `done` is its button, a `Dialog.Close`. */
export function UntilDone({ title, about, children, done, close }: UntilDoneProps) {
  return (
    <Dialog.Root
      open
      disablePointerDismissal
      onOpenChange={(_open, { reason }) => reason === 'close-press' && close()}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <div className="dialog-head">
            <Dialog.Title>{title}</Dialog.Title>
            <Dialog.Description>{about}</Dialog.Description>
          </div>
          {children}
          <div className="actions">{done}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

// A secret that is shown this once: copied or lost.

import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { CodeBlock } from './copy-text.tsx';

type ShownOnceProps = {
  readonly title: string;
  readonly text: string;
  readonly label: string;
  readonly children?: ReactNode;
  readonly close: () => void;
};

export function ShownOnce({ title, text, label, children, close }: ShownOnceProps) {
  return (
    // Nothing but the button closes it: what it shows cannot be had again.
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
            <Dialog.Description>It is shown only once. Copy it now.</Dialog.Description>
          </div>
          <CodeBlock text={text} label={label} />
          {children}
          <div className="actions">
            <Dialog.Close className="primary">I have copied it</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

// A form that a button of the page opens over it. It closes when what it sends was taken.

import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useState } from 'react';
import type { Faults } from './faults.ts';
import { Form } from './form.tsx';

type FormDialogProps = {
  /** The button that opens it; none where something else opened it. */
  readonly label?: ReactNode;
  readonly title: string;
  readonly about?: string;
  /** What the button that sends says. */
  readonly action: string;
  readonly send: () => Promise<unknown>;
  readonly children: (faults: Faults) => ReactNode;
  /** Whether the opening button is the one of its page. */
  readonly primary?: boolean;
  /** Told when it closes; where it has no button, it is open until then. */
  readonly close?: () => void;
};

export function FormDialog({
  label,
  title,
  about,
  action,
  send,
  children,
  primary = true,
  close,
}: FormDialogProps) {
  const [open, setOpen] = useState(label === undefined);
  const change = (isOpen: boolean) => {
    setOpen(isOpen);
    if (!isOpen) close?.();
  };
  const sendAndClose = async () => {
    await send();
    change(false);
  };
  return (
    <Dialog.Root open={open} onOpenChange={change}>
      {label !== undefined && (
        <Dialog.Trigger className={primary ? 'primary' : undefined}>{label}</Dialog.Trigger>
      )}
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <div className="dialog-head">
            <Dialog.Title>{title}</Dialog.Title>
            {about !== undefined && <Dialog.Description>{about}</Dialog.Description>}
          </div>
          <Form action={action} send={sendAndClose} cancel={<Dialog.Close>Cancel</Dialog.Close>}>
            {children}
          </Form>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

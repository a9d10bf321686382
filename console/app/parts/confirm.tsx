// Asks before what cannot be undone.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useState } from 'react';
import { ProblemNote } from './problem-note.tsx';

type ConfirmProps = {
  /** The button that opens it. */
  readonly label: string;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button that does it says. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
};

export function Confirm({ label, title, children, action, run }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [state, setState] = useState<{ readonly running: boolean; readonly error: unknown }>(IDLE);
  const act = async () => {
    setState({ running: true, error: null });
    try {
      await run();
      setOpen(false);
      setState(IDLE);
    } catch (error) {
      setState({ running: false, error });
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={setOpen}>
      <AlertDialog.Trigger className="button danger">{label}</AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div />}>{children}</AlertDialog.Description>
          {state.error !== null && <ProblemNote error={state.error} />}
          <div className="actions">
            <AlertDialog.Close className="button">Cancel</AlertDialog.Close>
            <button
              type="button"
              className="button danger"
              disabled={state.running}
              onClick={() => void act()}
            >
              {action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

const IDLE = { running: false, error: null };

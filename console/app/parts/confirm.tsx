// Asks before what cannot be undone.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { type ReactNode, useState } from 'react';
import { ProblemNote } from './problem-note.tsx';
import { Working } from './working.tsx';

type ConfirmProps = {
  /** The button that opens it. */
  readonly label: string;
  readonly title: string;
  readonly children: ReactNode;
  /** What the button that does it says. */
  readonly action: string;
  readonly run: () => Promise<unknown>;
  /** The accessible name of the button that opens it, where its label alone says too little, as in a row. */
  readonly about?: string;
  /** In a row of a list, where a frame around each button would be too much. */
  readonly quiet?: boolean;
  /** What can be undone: asked about, but no danger. */
  readonly calm?: boolean;
  /** Its button is no louder than others in a row: what it does is seen when it asks. */
  readonly mild?: boolean;
  /** Told when it opens and when it closes. */
  readonly opened?: (isOpen: boolean) => void;
};

export function Confirm({
  label,
  title,
  children,
  action,
  run,
  about,
  quiet = false,
  calm = false,
  mild = false,
  opened: tell,
}: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const [state, setState] = useState<{ readonly running: boolean; readonly error: unknown }>(IDLE);
  const change = (opened: boolean) => {
    setOpen(opened);
    setState(IDLE);
    tell?.(opened);
  };
  const act = async () => {
    setState({ running: true, error: null });
    try {
      await run();
      change(false);
    } catch (error) {
      setState({ running: false, error });
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={change}>
      <AlertDialog.Trigger
        className={`${quiet ? 'quiet' : ''} ${calm || mild ? '' : 'danger'}`}
        aria-label={about}
      >
        {label}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className="stack" />}>{children}</AlertDialog.Description>
          {state.error !== null && <ProblemNote error={state.error} />}
          <div className="actions">
            <AlertDialog.Close>Cancel</AlertDialog.Close>
            <button
              type="button"
              className={calm ? 'primary' : 'danger primary'}
              disabled={state.running}
              aria-busy={state.running}
              onClick={() => void act()}
            >
              {state.running && <Working />}
              {action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

const IDLE = { running: false, error: null };

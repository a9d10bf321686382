// A form that changes something that is there. It is sent onto the version that the form was opened with;
// when somebody else was quicker, both changes are shown side by side, and one chooses: nothing is
// overwritten unseen.

import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { type Fields, clashesOf } from './conflict.ts';
import { ConflictNote } from './conflict-note.tsx';
import { type Faults, faultsOf } from './faults.ts';
import { FormProblem } from './form-problem.tsx';

type EditFormProps<Thing, Changes> = {
  /** What the form was filled with. Keep it while the form is open, whatever is read meanwhile. */
  readonly start: Versioned<Thing>;
  /** What the form says now, of the fields that differ from `start`; null when none does. */
  readonly changes: () => Changes | null;
  readonly send: (changes: Changes, onto: Versioned<Thing>) => Promise<unknown>;
  readonly read: () => Promise<Versioned<Thing>>;
  /** For the comparison: every field of the thing, and the thing with the changes made. */
  readonly fieldsOf: (thing: Thing) => Fields;
  readonly withChanges: (thing: Thing, changes: Changes) => Thing;
  /** Saved, given up, or left as the other has it: read the thing again, and close the form. */
  readonly done: (how: 'saved' | 'cancelled' | 'theirs') => unknown;
  readonly children: (faults: Faults) => ReactNode;
};

export function EditForm<Thing, Changes>(props: EditFormProps<Thing, Changes>) {
  const form = useRef<HTMLFormElement>(null);
  const { start, changes, fieldsOf, withChanges, done, children } = props;
  const { theirs, error, isSending, save } = useGuardedSave(props);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void save(theirs ?? start);
  };
  return (
    <form ref={form} className="form" onSubmit={submit}>
      {children(faultsOf(error))}
      {error !== null && <FormProblem error={error} form={form} />}
      {theirs === null ? (
        <div className="actions">
          <button type="button" disabled={isSending} onClick={() => done('cancelled')}>
            Cancel
          </button>
          <button type="submit" className="primary" disabled={isSending}>
            Save
          </button>
        </div>
      ) : (
        <ConflictNote
          clashes={clashesOf(
            fieldsOf(start.value),
            fieldsOf(theirs.value),
            fieldsOf(withChanges(start.value, changes() ?? ({} as Changes))),
          )}
          isBusy={isSending}
          takeTheirs={() => done('theirs')}
          applyMine={() => void save(theirs)}
        />
      )}
    </form>
  );
}

function useGuardedSave<Thing, Changes>({ changes, send, read, done }: EditFormProps<Thing, Changes>) {
  const [theirs, setTheirs] = useState<Versioned<Thing> | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const save = async (onto: Versioned<Thing>) => {
    const wanted = changes();
    if (wanted === null) return done(theirs === null ? 'cancelled' : 'theirs');
    setSending(true);
    setError(null);
    try {
      await send(wanted, onto);
      await done('saved');
    } catch (problem) {
      if (isConflict(problem)) await read().then(setTheirs, setError);
      else setError(problem);
    } finally {
      setSending(false);
    }
    return undefined;
  };
  return { theirs, error, isSending, save };
}

/** Somebody else changed it first: nothing was done. */
export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'precondition_failed';
}

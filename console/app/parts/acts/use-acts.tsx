// Asks once before something is done to one thing of a list or to several, does it to each, and says of each
// that failed why. Nothing is lost when some fail: those stay chosen, and are shown as they are by then.

import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { problemOf } from '../problem-note.tsx';
import { Icon } from '../icons.tsx';
import { useTell } from '../toast.tsx';
import { Working } from '../working.tsx';
import type { Act, ActChoice } from './act.ts';
import { actOnEach, type Failure } from './act-on-each.ts';

type Of<Item> = {
  readonly nameOf: (item: Item) => string;
  /** The key of what is read again afterwards. */
  readonly listKey: readonly unknown[];
  /** Told which are still to be done, none when all is; and which of them it was about. */
  readonly left?: (items: readonly Item[], asked: readonly Item[]) => void;
};

type Asked<Item> = {
  readonly act: Act<Item>;
  readonly items: readonly Item[];
  /** How many are done; null while nobody said yes. */
  readonly done: number | null;
  readonly failures: readonly Failure<Item>[];
  /** What is chosen of the act's choice. */
  readonly said: string;
};

/** `ask` opens the question, which `dialog` shows. */
export function useActs<Item>({ nameOf, listKey, left }: Of<Item>) {
  const queries = useQueryClient();
  const tell = useTell();
  const [asked, setAsked] = useState<Asked<Item> | null>(null);
  const ask = (act: Act<Item>, items: readonly Item[]) =>
    setAsked({ act, items, done: null, failures: [], said: Object.keys(act.choice?.options ?? {})[0] ?? '' });
  const run = async (now: Asked<Item>) => {
    const { act, items, said } = now;
    setAsked({ ...now, done: 0 });
    const failures = await actOnEach(
      items,
      (item) => act.run(item, said),
      (done) => setAsked({ ...now, done }),
    );
    if (failures.length < items.length) tell(act.done(items.length - failures.length));
    left?.(
      failures.map(({ item }) => item),
      items,
    );
    setAsked(failures.length === 0 ? null : { ...now, done: null, failures });
    await queries.invalidateQueries({ queryKey: listKey });
  };
  const dialog = asked !== null && (
    <ActDialog
      asked={asked}
      nameOf={nameOf}
      say={(said) => setAsked({ ...asked, said })}
      run={() => void run(asked)}
      close={() => setAsked(null)}
    />
  );
  return { ask, dialog };
}

type ActDialogProps<Item> = {
  readonly asked: Asked<Item>;
  readonly nameOf: (item: Item) => string;
  readonly say: (said: string) => void;
  readonly run: () => void;
  readonly close: () => void;
};

function ActDialog<Item>({
  asked: { act, items, done, failures, said },
  nameOf,
  say,
  run,
  close,
}: ActDialogProps<Item>) {
  const isRunning = done !== null;
  const hasFailed = failures.length > 0;
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && !isRunning && close()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>
            {hasFailed ? failedText(failures.length) : act.question(items)}
          </AlertDialog.Title>
          <AlertDialog.Description render={<div className="stack" />}>
            {hasFailed ? (
              <Failures failures={failures} nameOf={nameOf} />
            ) : (
              <Meant items={items} nameOf={nameOf}>
                {typeof act.about === 'function' ? act.about(items) : act.about}
              </Meant>
            )}
            {!hasFailed && act.choice !== undefined && (
              <Choice choice={act.choice} said={said} say={say} isDisabled={isRunning} />
            )}
          </AlertDialog.Description>
          <div className="actions">
            <AlertDialog.Close disabled={isRunning}>{hasFailed ? 'Close' : 'Cancel'}</AlertDialog.Close>
            {!hasFailed && (
              <button
                type="button"
                className={act.isDanger === true ? 'danger primary' : 'primary'}
                disabled={isRunning}
                aria-busy={isRunning}
                onClick={run}
              >
                {isRunning && <Working />}
                {isRunning && items.length > 1 ? `${done} of ${items.length}` : act.action}
              </button>
            )}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

type ChoiceProps = {
  readonly choice: ActChoice;
  readonly said: string;
  readonly say: (said: string) => void;
  readonly isDisabled: boolean;
};

function Choice({ choice: { label, about, options }, said, say, isDisabled }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={said} disabled={isDisabled} onChange={({ target }) => say(target.value)}>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <p className="soft">{about}</p>
    </div>
  );
}

type MeantProps<Item> = {
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  readonly children: ReactNode;
};

/** Which are meant, as far as a dialog has room. */
function Meant<Item>({ items, nameOf, children }: MeantProps<Item>) {
  const more = items.length - MOST_NAMED;
  return (
    <>
      {items.length > 1 && (
        <ul className="meant">
          {items.slice(0, MOST_NAMED).map((item, index) => (
            <li key={index}>{nameOf(item)}</li>
          ))}
          {more > 0 && <li>and {more} more</li>}
        </ul>
      )}
      <p>{children}</p>
    </>
  );
}

type FailuresProps<Item> = {
  readonly failures: readonly Failure<Item>[];
  readonly nameOf: (item: Item) => string;
};

function Failures<Item>({ failures, nameOf }: FailuresProps<Item>) {
  return (
    <div className="problem" role="alert">
      <Icon name="problem" />
      <ul className="meant">
        {failures.map(({ item, error }, index) => (
          <li key={index}>
            <strong>{nameOf(item)}</strong>: {problemOf(error).message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function failedText(count: number): string {
  return count === 1 ? '1 failed' : `${count} failed`;
}

const MOST_NAMED = 8;

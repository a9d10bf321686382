// Ends of sessions that the store could not take: a logout counts here at once and is done as soon as the store is back (contract
// 4.2). Until then whoever asks whether a session lives is told by this list first. It is this process's own: what is
// owed when it is killed is lost.

import type { SessionId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';

/** `Id`: what a session is known by. */
export type OwedEnds<Id extends string = SessionId> = {
  /** Whether the session was ended here, and the store does not know yet. */
  readonly has: (id: Id) => boolean;
  /** `end` is tried until it does not reject; doing it twice must do no harm. Sessions that are owed all are so once. */
  readonly owe: (ids: readonly Id[], end: () => Promise<void>) => void;
  /** Tries each that is owed, oldest first. Never rejects. */
  readonly settle: () => Promise<void>;
};

/** `refuse` hears of the sessions at once. */
export function createOwedEnds<Id extends string = SessionId>(deps: {
  readonly refuse: (ids: readonly Id[]) => void;
  readonly log: Pick<Log, 'warn' | 'error'>;
}): OwedEnds<Id> {
  const waiting = new Set<Owed<Id>>();
  let settling: Promise<void> | null = null;

  const has = (id: Id) => waiting.size > 0 && Array.from(waiting).some(({ ids }) => ids.has(id));
  const settleAll = async () => {
    let refused = 0;
    for (const each of waiting) {
      // A store that takes none of the first is away; one that a single end offends takes the others.
      if (refused === REFUSED_IN_A_ROW) return;
      try {
        await each.end();
        waiting.delete(each);
        refused = 0;
      } catch {
        refused++;
      }
    }
    if (refused === 0) deps.log.warn({}, 'Ended the sessions of logouts that the store had not taken');
  };
  return {
    has,
    owe(ids, end) {
      // Whoever logs out again and again takes nobody else's place.
      if (ids.every(has)) return;
      if (waiting.size >= MAX_WAITING) {
        deps.log.error({ sessions: ids }, 'Cannot keep a logout: too many wait for the store');
        return;
      }
      waiting.add({ ids: new Set(ids), end });
      deps.refuse(ids);
    },
    settle() {
      if (waiting.size === 0) return Promise.resolve();
      settling ??= settleAll().finally(() => {
        settling = null;
      });
      return settling;
    },
  };
}

type Owed<Id> = { readonly ids: ReadonlySet<Id>; readonly end: () => Promise<void> };

const REFUSED_IN_A_ROW = 3;
/** Each came with a session of ours; an outage of minutes at a busy place. */
const MAX_WAITING = 10_000;

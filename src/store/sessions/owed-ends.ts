// Ends of sessions that the store could not take: a logout counts here at once and is done as soon as the
// store is back (contract 4.2). Until then whoever asks whether a session lives is told by this list first.
// It is this process's own: what is owed when it is killed is lost.

import { LRUCache } from 'lru-cache';
import { atMost } from '../../domain/at-most.ts';
import type { SessionId } from '../../domain/id.ts';
import type { Log } from '../../domain/log.ts';
import { createOwedPlaces } from './owed-places.ts';

/** `Id`: what a session is known by. */
export type OwedEnds<Id extends string = SessionId> = {
  /** Whether the session was ended here, and the store does not know yet. */
  readonly has: (id: Id) => boolean;
  /** Those that `has` tells of now; later changes do not show in it. */
  readonly all: () => ReadonlySet<Id>;
  /** The store knows the session: a logout of it is no made-up one, should the store be away then. */
  readonly seen: (id: Id) => void;
  /**
   * `end` is tried until it does not reject; doing it twice must do no harm. Sessions that are owed all are
   * so once.
   */
  readonly owe: (owed: {
    readonly ids: readonly Id[];
    readonly end: () => Promise<void>;
    /** The address it came from. */
    readonly from: string | null;
    /** Nobody but this service can have made the ids. */
    readonly isOurs: boolean;
  }) => void;
  /** Tries each that is owed, oldest first. Never rejects. */
  readonly settle: () => Promise<void>;
};

/** `refuse` hears of the sessions at once. */
export function createOwedEnds<Id extends string = SessionId>(deps: {
  readonly refuse: (ids: readonly Id[]) => void;
  readonly log: Pick<Log, 'warn' | 'error'>;
}): OwedEnds<Id> {
  /** Those of each session: a browser's logouts may overlap. */
  const byId = new Map<Id, Set<Owed<Id>>>();
  const known = new LRUCache<Id, true>(atMost(MAX_KNOWN));
  const waiting = new Set<Owed<Id>>();
  const forget = (owed: Owed<Id>) => {
    waiting.delete(owed);
    for (const id of owed.ids) {
      const all = byId.get(id);
      all?.delete(owed);
      if (all?.size === 0) byId.delete(id);
    }
  };
  const places = createOwedPlaces<Owed<Id>>({ displaced: forget });
  let left = 0;
  let settling: Promise<void> | null = null;

  const has = (id: Id) => byId.has(id);
  const settleAll = async () => {
    let refused = 0;
    for (const each of waiting) {
      // A store that takes none of the first is away; one that a single end offends takes the others.
      if (refused === REFUSED_IN_A_ROW) return;
      try {
        await each.end();
        places.leave(each);
        forget(each);
        refused = 0;
      } catch {
        refused++;
      }
    }
    left = 0;
    if (refused === 0) deps.log.warn({}, 'Ended the sessions of logouts that were waiting for the database');
  };
  return {
    has,
    all: () => new Set(byId.keys()),
    seen: (id) => void known.set(id, true),
    owe({ ids, end, from, isOurs }) {
      // Whoever logs out again and again takes nobody else's place.
      if (ids.every(has)) return;
      const owed: Owed<Id> = { ids: new Set(ids), end };
      const isReal = isOurs || ids.some((id) => known.has(id));
      if (!places.take(owed, { from, isReal })) {
        // Once an outage: whoever makes logouts up must not fill the log.
        if (left++ === 0)
          deps.log.error({ from }, 'Cannot keep a logout: too many are waiting for the database');
        return;
      }
      waiting.add(owed);
      for (const id of owed.ids) byId.set(id, (byId.get(id) ?? new Set()).add(owed));
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
/** About 5 MB: whoever worked at the console in the last hours. */
const MAX_KNOWN = 20_000;

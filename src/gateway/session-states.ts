// What the store last said of sessions. The main thread tells of all that there are when a worker starts, and
// of each change; one that is not known here is asked for, once for all requests that wait for it. What is
// known only grows: ended stays ended, confirmed stays confirmed. An answer to a question of before changes
// were missed is no answer: what it says may have ended since, and nobody would say so.

import { LRUCache } from 'lru-cache';
import type { SessionId } from '../domain/id.ts';
import { goneSession, type SessionState } from '../domain/session.ts';
import { atMost } from '../domain/at-most.ts';
import { createLately, keyOfText } from './lately.ts';
import type { ConfirmQuestion, WorkerAnswer, SessionQuestion } from './messages.ts';
import { createSessionTable } from './session-table.ts';

/** Asks the main thread; answers `unavailable` rather than fail. */
export type Ask = (question: SessionQuestion) => Promise<WorkerAnswer>;

export type SessionStates = {
  readonly known: (id: SessionId) => SessionState | undefined;
  /** The state, or null when it cannot be had now. */
  readonly ask: (id: SessionId) => Promise<SessionState | null>;
  /**
   * Has the session checked with its provider, or joins the check that runs; null when that cannot be done
   * now.
   */
  readonly check: (id: SessionId) => Promise<SessionState | null>;
  /** Has the session confirmed for the browser that is back; null when that cannot be done now. */
  readonly confirm: (question: ConfirmQuestion) => Promise<SessionState | null>;
  /** Starts a check that nobody waits for, unless one runs or just failed. */
  readonly checkSoon: (id: SessionId) => void;
  readonly tell: (states: readonly SessionState[]) => void;
  /** As they were read, some time ago: of those that are known already, more is known. */
  readonly learn: (states: readonly SessionState[]) => void;
  /** How many are known. */
  readonly size: () => number;
  /** Changes were missed: nothing that is known counts any more. */
  readonly forget: () => void;
};

export function createSessionStates(ask: Ask): SessionStates {
  const table = createSessionTable();
  // Of those that come again and again: one object for all their requests, by which more is remembered.
  const states = new LRUCache<number, SessionState>({
    max: MAX_STATES,
    maxSize: MAX_SIZE,
    sizeCalculation: sizeOf,
  });
  const cameLately = createLately({ places: 1 << 14, ms: QUIET_MS });
  const asking = new Map<string, Promise<SessionState | null>>();
  const quietUntil = new LRUCache<SessionId, number>(atMost(MAX_QUIET));

  let epoch = 0;

  const tell = (told: SessionState) => {
    const now = Date.now();
    const state = merged(find(told.id), notAhead(told, now), now);
    // One that is not confirmed may be so at any moment, at another gateway, too: whoever comes with it asks.
    if (state.confirmed || state.ended) keep(state);
    return state;
  };
  const often = (id: SessionId, key: number) => {
    const found = states.get(key);
    return found?.id === id ? found : undefined;
  };
  const find = (id: SessionId) => often(id, keyOfText(id)) ?? table.get(id);
  const keep = (state: SessionState) => {
    const key = keyOfText(state.id);
    // What the table has no room for is at least remembered for as long as others come less often.
    if (!table.set(state) || states.has(key)) states.set(key, state);
  };
  const known = (id: SessionId) => {
    const key = keyOfText(id);
    const present = often(id, key);
    if (present !== undefined) return present;
    const found = table.get(id);
    if (found !== undefined && cameLately(id, performance.now())) states.set(key, found);
    return found;
  };
  const askNow = async (question: SessionQuestion): Promise<WorkerAnswer> => {
    for (let attempt = 0; attempt < MAX_ASKED; attempt++) {
      const asked = epoch;
      const given = await ask(question);
      if (asked === epoch) return given;
    }
    return { kind: 'unavailable' };
  };
  const askOnce = (question: SessionQuestion): Promise<SessionState | null> => {
    const key = `${question.ask} ${question.sessionId}`;
    const running = asking.get(key);
    if (running !== undefined) return running;
    const answer = askNow(question)
      .then((given) =>
        given.kind === 'session' ? tell(given.state ?? goneSession(question.sessionId)) : null,
      )
      .finally(() => {
        if (asking.get(key) === answer) asking.delete(key);
      });
    asking.set(key, answer);
    return answer;
  };
  return {
    known,
    ask: (id) => askOnce({ ask: 'session', sessionId: id }),
    check: (id) => askOnce({ ask: 'recheck', sessionId: id }),
    confirm: askOnce,
    checkSoon: (id) => {
      const now = performance.now();
      if ((quietUntil.get(id) ?? 0) > now) return;
      quietUntil.set(id, now + QUIET_MS);
      askOnce({ ask: 'recheck', sessionId: id }).catch(() => {});
    },
    tell: (told) => {
      for (const state of told) tell(state);
    },
    learn: (read) => {
      const now = Date.now();
      for (const state of read)
        if (state.confirmed && !state.ended && find(state.id) === undefined) keep(notAhead(state, now));
    },
    size: () => table.size(),
    forget: () => {
      states.clear();
      table.clear();
      // An answer that is on its way was looked up before now: who waits for it asks again, and whoever asks
      // next asks again.
      epoch++;
      asking.clear();
    },
  };
}

/** Messages may cross: an answer that was on its way while a session ended must not bring it back. */
function merged(former: SessionState | undefined, told: SessionState, now: number): SessionState {
  if (former === undefined) return told;
  const ended = former.ended || told.ended;
  // A clock that was set back since leaves what was known ahead of it.
  const newer = told.checkedAt >= former.checkedAt || former.checkedAt > now ? told : former;
  const confirmed = former.confirmed || told.confirmed;
  const isSame = newer.ended === ended && newer.confirmed === confirmed;
  return isSame ? newer : { ...newer, ended, confirmed };
}

/** A check by a clock that is ahead of this one was made now at the latest: it must not count until then. */
function notAhead(told: SessionState, now: number): SessionState {
  return told.checkedAt > now ? { ...told, checkedAt: now } : told;
}

/** In characters, about. */
function sizeOf({ facts }: SessionState): number {
  if (facts === undefined) return STATE_SIZE;
  let size = STATE_SIZE + sizeOfTexts(facts.groups ?? []) + sizeOfTexts(facts.amr);
  for (const values of Object.values(facts.claims)) size += sizeOfTexts(values);
  return size;
}

function sizeOfTexts(texts: readonly string[]): number {
  return texts.reduce((size, text) => size + TEXT_SIZE + text.length, 0);
}

/** About 6 MB; fewer where they have hundreds of groups each, of 100 MB at most. */
const MAX_STATES = 20_000;
const MAX_SIZE = 100_000_000;
const STATE_SIZE = 1_000;
/** What a text takes beside its characters. */
const TEXT_SIZE = 20;
const MAX_QUIET = 10_000;
/** Changes are rarely missed, and never again and again within one question. */
const MAX_ASKED = 3;
/** A background check that failed is not tried again at every request. */
const QUIET_MS = 10_000;

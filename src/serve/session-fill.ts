// Tells workers of every session that counts, page after page, so that they need not ask for each when its
// visitor comes. Nothing waits for it, and it waits for whatever else there is to do: as long as it takes,
// and when it cannot, sessions are asked for.

import { setTimeout as pause } from 'node:timers/promises';
import type { SessionId } from '../domain/id.ts';
import type { SessionState } from '../domain/session.ts';
import type { SessionTable } from '../store/sessions/session-table.ts';

export type SessionFill = {
  /** From the first one on, whatever was told before. Resolves when it is done, given up or begun again. */
  readonly begin: () => Promise<void>;
  /** Changes were missed: what was read until now is told to nobody any more. */
  readonly stop: () => void;
};

export type SessionFillDeps = {
  readonly sessions: Pick<SessionTable, 'counting'>;
  /** Over here, though the store does not know yet. */
  readonly owed: () => ReadonlySet<SessionId>;
  /**
   * Asked for before each page is read: tells those who are there by then, and resolves once they know.
   */
  readonly teller: () => (states: readonly SessionState[]) => Promise<void>;
};

export function createSessionFill({ sessions, owed, teller }: SessionFillDeps): SessionFill {
  let round = 0;
  const fill = async (own: number): Promise<void> => {
    let [after, told]: [SessionId | null, number] = [null, 0];
    do {
      const beganAt = performance.now();
      const tell = teller();
      // What is read as it was before the store took one of them is older than that.
      const owedBefore = owed();
      const page = await sessions.counting(after);
      if (own !== round) return;
      const owedNow = owed();
      const states = page.states.filter(({ id }) => !owedBefore.has(id) && !owedNow.has(id));
      if (states.length > 0) await tell(states);
      after = page.next;
      told += states.length;
      // Half of the time at most is spent here.
      await pause(performance.now() - beganAt, undefined, { ref: false });
    } while (after !== null && told < MOST_TOLD);
  };
  return {
    // What cannot be read now is asked for; the feed tells the log of an outage, once.
    begin: () => fill(++round).catch(() => undefined),
    stop: () => void round++,
  };
}

/** As many as a worker keeps. */
const MOST_TOLD = 2_000_000;

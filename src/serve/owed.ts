// Ends of sessions that the store has not taken yet: refused here at once, and written as soon as it is back.

import type { Log } from '../domain/log.ts';
import { goneSession } from '../domain/session.ts';
import { createOwedEnds, type OwedEnds } from '../store/sessions/owed-ends.ts';
import type { Running } from './running.ts';

export type Owed = {
  readonly sessions: OwedEnds;
  /** At the control plane, by the hash of their token. No gateway knows of these. */
  readonly console: OwedEnds<string>;
};

export function createOwed(running: () => Pick<Running, 'plane'>, log: Log): Owed {
  return {
    sessions: createOwedEnds({
      refuse: (ids) => void running().plane?.sessions(ids.map(goneSession)),
      log,
    }),
    console: createOwedEnds<string>({ refuse: () => undefined, log }),
  };
}

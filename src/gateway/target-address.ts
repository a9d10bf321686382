// The address behind a target. What was found is kept for a few seconds, and while it is asked for anew, a
// little longer: whatever else waits for names, visitors of a backend that was there a moment ago do not.
// That a name was not answered in time is kept longer: its servers are away, and the operating system tries
// on long after nobody waits.

import { inTime } from '../domain/in-time.ts';
import type { AccountId } from '../domain/id.ts';
import { checkTarget, type DialAddress, type DialRules, type DialTarget } from '../providers/dial-target.ts';
import { askInTurn } from '../providers/name-places.ts';

export type AskedBy = { readonly accountId: AccountId; readonly rules: DialRules };

/** Asks for it only when it is needed. Rejects as `checkTarget()`. */
export function createTargetAddress(
  target: DialTarget,
  { accountId, rules }: AskedBy,
): () => Promise<DialAddress> {
  let known: Known | null = null;
  let found: Found | null = null;
  const ask = (now: number): Known => {
    let askedAt = Infinity;
    const lookup = async (name: string) => {
      const addresses = await askInTurn(name, accountId, () => (askedAt = Date.now()));
      // It is there after all: whoever comes next asks again.
      if (asked.state === 'unanswered' && known === asked) known = null;
      return addresses;
    };
    const dial = checkTarget(target, { ...rules, lookup });
    // Whoever comes while it is asked for waits with the others.
    const asked: Known = { dial, state: 'asked', at: now, until: Infinity };
    const keep = (answer: DialAddress): void => {
      found = { answer, at: now };
      Object.assign(asked, { state: 'answered', until: now + RESOLVED_MS });
    };
    const giveUp = (): void => {
      const at = Date.now();
      if (at - askedAt >= SLOW_MS) {
        Object.assign(asked, { state: 'unanswered', at, until: at + UNANSWERED_MS });
        return;
      }
      // What only waited for its turn says nothing of what was there before.
      if (askedAt !== Infinity) found = null;
      if (known === asked) known = null;
    };
    dial.then(keep, giveUp);
    return asked;
  };
  return () => {
    const now = Date.now();
    // Of a clock that was set back, nothing is known.
    if (known === null || now < known.at || now >= known.until) known = ask(now);
    const { dial, state } = known;
    const former = found;
    if (former === null || state === 'answered' || now < former.at || now >= former.at + FORMER_MS)
      return dial;
    return state === 'unanswered'
      ? Promise.resolve(former.answer)
      : inTime(dial, PROMPT_MS, () => former.answer);
  };
}

type Known = {
  readonly dial: Promise<DialAddress>;
  readonly state: 'asked' | 'answered' | 'unanswered';
  readonly at: number;
  readonly until: number;
};
type Found = { readonly answer: DialAddress; readonly at: number };

/** Long enough for a burst of connections, short enough for a backend that moves. */
const RESOLVED_MS = 5_000;
/** Servers that are there answer sooner. */
const PROMPT_MS = 500;
/** As long as a resolver's hiccup, and as others' dead names keep their places. */
const FORMER_MS = 60_000;
/** As good as no answer: what does not exist is known sooner. */
const SLOW_MS = 4_000;
/** Long enough for names that others wait for, short enough for servers that come back. */
const UNANSWERED_MS = 30_000;

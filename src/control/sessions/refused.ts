// Which active sessions of a share its rules no longer let in, by the gate's own evaluator. Nothing ends by
// itself when rules change: each of their requests is refused, and another change may let them in again.

import type { AccountId, SessionId, ShareId } from '../../domain/id.ts';
import { couldOpen, personOf } from '../../domain/known-person.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { FoundSession, SessionQuery } from '../../store/sessions/choice.ts';
import type { ControlDeps } from '../control-deps.ts';
import { titlesFor } from '../providers/called.ts';
import { routedNow } from '../shares/view.ts';
import { couldGetIn } from '../who/could.ts';
import { inSlices } from '../who/in-slices.ts';
import { isOfNow } from '../who/known-people.ts';

export type RefusedSession = { readonly found: FoundSession; readonly refusal: string };

type Place = SessionQuery['after'];
type Page = { readonly refused: readonly RefusedSession[]; readonly next: Place };

/** A page of them, newest first. What one page looks at is bounded: it may hold few, and have a `next`. */
export async function refusedSessions(
  deps: Deps,
  row: ShareRow,
  { after, limit }: { readonly after: Place; readonly limit: number },
): Promise<Page> {
  const refused: RefusedSession[] = [];
  let place = after;
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += AT_ONCE) {
    const page = await refusedAmong(deps, row, place);
    refused.push(...page.refused);
    if (refused.length >= limit) {
      const kept = refused.slice(0, limit);
      const isAll = kept.length === refused.length && page.next === null;
      return { refused: kept, next: isAll ? null : placeOf(kept.at(-1)) };
    }
    place = page.next;
    if (place === null) break;
  }
  return { refused, next: place };
}

/** All of them, some at a time, by the rules of that time: whoever is let in again meanwhile stays. */
export async function* everyRefused(deps: Deps, shareId: ShareId): AsyncGenerator<readonly SessionId[]> {
  for (let place: Place = null; ;) {
    const row = await deps.store.shares.findById(shareId);
    if (row === null) return;
    const page: Page = await refusedSessions(deps, row, { after: place, limit: MOST_LOOKED_AT });
    if (page.refused.length > 0) yield page.refused.map(({ found }) => found.row.id);
    if (page.next === null) return;
    place = page.next;
  }
}

type Deps = Pick<ControlDeps, 'store' | 'settings' | 'now'>;

async function refusedAmong({ store, settings, now }: Deps, row: ShareRow, after: Place): Promise<Page> {
  const { accountId, id: shareId } = row;
  const query = { ...ACTIVE, accountId, shareId, after, limit: AT_ONCE };
  const { sessions, next } = await store.sessions.list(query);
  const states = await store.sessions.states(sessions.map((found) => found.row.id));
  const factsOf = new Map(states.map(({ id, facts }) => [id, facts ?? null]));
  const current = settings();
  const providers = current.providersOf(accountId as AccountId);
  const titleOf = titlesFor(current, accountId as AccountId);
  // One that is off lets nobody in, whatever its rules say: that is said elsewhere.
  const share = routedNow({ ...row, enabled: true }, current);
  const judged = await inSlices(sessions, (found): readonly RefusedSession[] => {
    const { email, providerName: provider, providerGeneration, id } = found.row;
    // Whoever logged in at another definition logs in again, and is judged then.
    if (!isOfNow(providers, { provider, providerGeneration })) return [];
    const person = personOf({ email, provider, facts: factsOf.get(id) ?? null });
    const { outcome, detail } = couldGetIn(share, couldOpen(share, person, now()), titleOf);
    return outcome === 'refused' ? [{ found, refusal: detail }] : [];
  });
  return { refused: judged.flat(), next };
}

function placeOf(last: RefusedSession | undefined): Place {
  return last === undefined ? null : [last.found.row.createdAt, last.found.row.id];
}

const ACTIVE = {
  email: null,
  text: null,
  providerName: null,
  ip: null,
  state: 'active',
} as const;
const AT_ONCE = 200;
/** Judged within some tens of milliseconds, in slices that let others in between. */
const MOST_LOOKED_AT = 1_000;

// Revocation lists of authorities, built when they are asked for and kept until something is revoked or a day
// has passed. What was encoded once is not encoded again, and rows are read in pages, so that nobody waits
// for a long list. The newest is in the store: all gateways answer that one, so no list is followed by one of
// a smaller number.

import { LRUCache } from 'lru-cache';
import { atMost } from '../domain/at-most.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountCaId } from '../domain/id.ts';
import type { AccountCa, PublishedList } from '../store/certificates/certificate.ts';
import type { Store } from '../store/store.ts';
import { encodeEntry, revocationList } from '../x509/crl.ts';
import { type AuthorityDeps, signingAuthority, wholeSeconds } from './authority.ts';

export type RevocationListDeps = AuthorityDeps & {
  readonly store: Pick<Store, 'cas' | 'accounts' | 'certificates' | 'changes' | 'revocationLists'>;
};

export type RevocationList = Pick<PublishedList, 'number' | 'der' | 'thisUpdate' | 'nextUpdate'>;

/** `listOf(ca)` answers the newest list; calls at the same time share one build. */
export function createRevocationLists(deps: RevocationListDeps): (ca: AccountCa) => Promise<RevocationList> {
  const kept = new LRUCache<AccountCaId, Kept>(atMost(MAX_KEPT));
  const building = new Map<AccountCaId, Promise<RevocationList>>();
  const listOf = async (ca: AccountCa): Promise<RevocationList> => {
    const { certificates, revocationLists } = deps.store;
    const before = kept.get(ca.id);
    if (before !== undefined && isPausedAt(before, deps.now())) {
      if (before.list.number === (await revocationLists.newestNumber(ca.id))) return before.list;
      // What was revoked since is not even counted: another gateway's list is answered meanwhile.
      const paused = await revocationLists.newest(ca.id);
      if (paused !== null && isFresh(paused, deps.now())) {
        kept.set(ca.id, { ...before, list: paused });
        return paused;
      }
    }
    // First: what is revoked from here on has a greater number.
    const { change, isQuiet } = await lookSince(deps, ca.id, before?.change ?? null);
    const number = await revocationLists.newestNumber(ca.id);
    const isNewest = before?.list.number === number && isFresh(before.list, deps.now());
    // A few rows were read, however many others change; to ask what is revoked goes through as many as there
    // are.
    if (isNewest && isQuiet) {
      kept.set(ca.id, { ...before, change });
      return before.list;
    }
    const state = await certificates.revocationState(ca.id);
    const isGood = (list: PublishedList) => list.state === state && isFresh(list, deps.now());
    if (isNewest && isGood(before.list)) {
      kept.set(ca.id, { ...before, change });
      return before.list;
    }
    const published = await revocationLists.newest(ca.id);
    const { entries, pausedUntil } = before ?? { entries: new Map<string, Uint8Array>(), pausedUntil: 0 };
    const keep = (made: Kept) => {
      kept.set(ca.id, made);
      return made.list;
    };
    if (published !== null && isGood(published))
      return keep({ list: published, entries, change, pausedUntil });
    const startedAt = performance.now();
    const built = await build(deps, ca, { state, entries });
    const pause = pauseAfter(built, performance.now() - startedAt);
    return keep({ ...built, change, pausedUntil: deps.now() + pause });
  };
  return (ca) => {
    const running = building.get(ca.id);
    if (running !== undefined) return running;
    const started = listOf(ca).finally(() => building.delete(ca.id));
    building.set(ca.id, started);
    return started;
  };
}

type Look = { readonly change: number; readonly isQuiet: boolean };

/** The newest change of the store, and whether nothing of the authority was revoked since an earlier one. */
async function lookSince(
  { store: { changes, certificates } }: RevocationListDeps,
  caId: AccountCaId,
  former: number | null,
): Promise<Look> {
  if (former === null) return { change: await changes.latest(), isQuiet: false };
  const { upTo, changes: found, gap } = await changes.since(former);
  if (gap) return { change: upTo, isQuiet: false };
  const ids = found.flatMap((change) => (change.kind === 'certificate' ? [change.id] : []));
  const revoked = await certificates.revokedAmong(ids);
  return { change: upTo, isQuiet: !revoked.some((each) => each.caId === caId) };
}

type Built = { readonly list: PublishedList; readonly entries: ReadonlyMap<string, Uint8Array> };

/** `change`: the newest change of the store before it was looked at. */
type Kept = Built & { readonly change: number; readonly pausedUntil: number };

/**
 * Whoever revokes one after the other has a long list built now and then; a short one tells of each at once.
 */
function pauseAfter({ entries }: Built, tookMs: number): number {
  return entries.size <= SHORT ? 0 : Math.min(tookMs * PAUSE_FOR_EACH, MAX_PAUSE_MS);
}

/** A clock that was set back ends a pause. */
function isPausedAt({ list, pausedUntil }: Kept, now: number): boolean {
  return now < pausedUntil && now >= pausedUntil - MAX_PAUSE_MS && isFresh(list, now);
}

/** One from tomorrow is of a clock that was set back: whoever checks it with the right time refuses it. */
function isFresh({ thisUpdate }: PublishedList, now: number): boolean {
  return now < thisUpdate + REFRESH_MS && now > thisUpdate - REFRESH_MS;
}

async function build(
  deps: RevocationListDeps,
  ca: AccountCa,
  { state, entries: known }: { readonly state: string; readonly entries: Built['entries'] },
): Promise<Built> {
  const now = deps.now();
  const { certificates, revocationLists } = deps.store;
  const entries = new Map<string, Uint8Array>();
  let after: string | null = null;
  for (;;) {
    const page = await certificates.revokedBy(ca.id, { now: now - KEPT_MS, after, limit: PAGE });
    for (const row of page) {
      const serial = Buffer.from(row.serial, 'hex');
      entries.set(row.id, known.get(row.id) ?? encodeEntry({ ...row, serial }));
    }
    await nextTurn();
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
  }
  const authority = await signingAuthority(deps, ca);
  // The time, so that a store that was restored from a backup gives no number a second time.
  const number = await revocationLists.nextNumber(ca.id, now);
  const thisUpdate = wholeSeconds(now);
  const nextUpdate = thisUpdate + GOOD_MS;
  const plan = { issuer: authority.issuer, number, thisUpdate, nextUpdate, entries: [...entries.values()] };
  const der = revocationList(plan, authority.sign);
  const list = { number, state, thisUpdate, nextUpdate, der };
  await nextTurn();
  if (await revocationLists.publish(ca.id, list)) return { list, entries };
  const newer = await revocationLists.newest(ca.id);
  return { list: newer?.state === state ? newer : list, entries };
}

const PAGE = 500;
const DAY_MS = 86_400_000;
/** Who could not fetch one for six days still has one that is good. */
const GOOD_MS = 7 * DAY_MS;
const REFRESH_MS = DAY_MS;
/** One that is over stays until a list was signed after its end (RFC 5280 section 3.3). */
const KEPT_MS = 2 * REFRESH_MS;
/** Entries that are encoded, signed and stored in some milliseconds. */
const SHORT = 1_000;
/** So building takes a twentieth of the time at most. */
const PAUSE_FOR_EACH = 20;
/** As long as whoever fetched a list may keep it (`max-age`). */
const MAX_PAUSE_MS = 60_000;
/** Authorities whose lists were asked for lately. */
const MAX_KEPT = 1_000;

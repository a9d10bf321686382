// Revocation lists of authorities, built when they are asked for and kept until something is revoked or a day has passed.
// What was encoded once is not encoded again, and rows are read in pages, so that nobody waits for a long list.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountCaId } from '../domain/id.ts';
import type { AccountCa } from '../store/certificate.ts';
import type { Store } from '../store/store.ts';
import { encodeEntry, revocationList } from '../x509/crl.ts';
import { type AuthorityDeps, signingAuthority, wholeSeconds } from './authority.ts';

export type RevocationListDeps = AuthorityDeps & {
  readonly store: Pick<Store, 'cas' | 'accounts' | 'certificates'>;
};

export type RevocationList = {
  readonly der: Uint8Array;
  readonly thisUpdate: number;
  readonly nextUpdate: number;
};

/** `listOf(ca)` answers the newest list; calls at the same time share one build. */
export function createRevocationLists(deps: RevocationListDeps): (ca: AccountCa) => Promise<RevocationList> {
  const kept = new Map<AccountCaId, Kept>();
  const building = new Map<AccountCaId, Promise<RevocationList>>();
  const listOf = async (ca: AccountCa): Promise<RevocationList> => {
    const state = await deps.store.certificates.revocationState(ca.id);
    const before = kept.get(ca.id);
    if (before?.state === state && deps.now() < before.list.thisUpdate + REFRESH_MS) return before.list;
    const made = await build(deps, ca, { state, entries: before?.entries ?? new Map() });
    kept.set(ca.id, made);
    return made.list;
  };
  return (ca) => {
    const running = building.get(ca.id);
    if (running !== undefined) return running;
    const started = listOf(ca).finally(() => building.delete(ca.id));
    building.set(ca.id, started);
    return started;
  };
}

type Kept = {
  readonly state: string;
  readonly entries: ReadonlyMap<string, Uint8Array>;
  readonly list: RevocationList;
};

async function build(
  deps: RevocationListDeps,
  ca: AccountCa,
  { state, entries: known }: Pick<Kept, 'state' | 'entries'>,
): Promise<Kept> {
  const now = deps.now();
  const entries = new Map<string, Uint8Array>();
  let after: string | null = null;
  for (;;) {
    const page = await deps.store.certificates.revokedBy(ca.id, { now, after, limit: PAGE });
    for (const row of page) {
      const serial = Buffer.from(row.serial, 'hex');
      entries.set(row.id, known.get(row.id) ?? encodeEntry({ ...row, serial }));
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
    await nextTurn();
  }
  const authority = await signingAuthority(deps, ca);
  const number = await deps.store.cas.nextCrlNumber(ca.id);
  const thisUpdate = wholeSeconds(now);
  const nextUpdate = thisUpdate + GOOD_MS;
  const plan = { issuer: authority.issuer, number, thisUpdate, nextUpdate, entries: [...entries.values()] };
  const der = revocationList(plan, authority.sign);
  return { state, entries, list: { der, thisUpdate, nextUpdate } };
}

const PAGE = 500;
const DAY_MS = 86_400_000;
/** Who could not fetch one for six days still has one that is good. */
const GOOD_MS = 7 * DAY_MS;
const REFRESH_MS = DAY_MS;

// Whose certificates count: the authorities of all accounts, and what they revoked, as the main thread tells
// it. Known to each worker, so that a certificate is judged on every request without asking anybody.

import {
  type InventoryGap,
  isWithinGap,
  type KnownSerial,
  type RevokedSerial,
  type TrustNews,
} from '../domain/certificate-trust.ts';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import type { AccountCaId, AccountId } from '../domain/id.ts';
import { type Authority, readAuthority } from './authority.ts';
import type { PresentedCertificate } from './presented-certificate.ts';

export type Trust = {
  readonly authoritiesOf: (accountId: AccountId) => readonly Authority[];
  /** Of all accounts, in the order in which they came. */
  readonly allAuthorities: () => readonly Authority[];
  readonly tell: (news: TrustNews) => void;
  /** The certificate as it stands at `now`. */
  readonly judge: (presented: PresentedCertificate, now: number) => CertificateFacts;
  /** Another number after each news: what was judged before may be judged otherwise. */
  readonly version: () => number;
};

export function createTrust(start: TrustNews): Trust {
  const authorities = new Map<AccountCaId, Authority>();
  const byAccount = new Map<AccountId, readonly Authority[]>();
  const revoked = createRevokedSerials();
  const inventory = createInventory();
  let version = 0;
  const forget = (id: AccountCaId) => {
    const former = authorities.get(id);
    if (former === undefined) return;
    authorities.delete(id);
    const left = (byAccount.get(former.accountId) ?? []).filter((each) => each.id !== id);
    if (left.length > 0) byAccount.set(former.accountId, left);
    else byAccount.delete(former.accountId);
  };
  const tell = (news: TrustNews) => {
    version++;
    if (news.reset) {
      authorities.clear();
      byAccount.clear();
      revoked.clear();
      inventory.clear();
    }
    // First: one that is revoked must not count for a moment because its authority came.
    revoked.add(news.revoked);
    inventory.add(news);
    for (const id of news.gone) forget(id);
    for (const told of news.authorities) {
      forget(told.id);
      const authority = readAuthority(told);
      authorities.set(told.id, authority);
      byAccount.set(told.accountId, [...(byAccount.get(told.accountId) ?? []), authority]);
    }
  };
  tell(start);
  return {
    authoritiesOf: (accountId) => byAccount.get(accountId) ?? [],
    allAuthorities: () => [...authorities.values()],
    tell,
    judge: ({ authorityId, ...presented }, now) => {
      const authority = authorityId === null ? undefined : authorities.get(authorityId);
      const trusted = authority !== undefined && now < authority.notAfter;
      return {
        ...presented,
        goodUntil: Math.min(presented.notAfter, authority?.notAfter ?? now),
        accountId: trusted ? authority.accountId : null,
        revoked:
          authorityId !== null &&
          (revoked.has(authorityId, presented.serial) || inventory.lacks(authorityId, presented)),
      };
    },
    version: () => version,
  };
}

/**
 * What the store lost in a restore: a certificate of that time which it does not know may have been revoked,
 * and can be by nobody any more, so it stands as one that was.
 */
function createInventory() {
  let gaps: readonly InventoryGap[] = [];
  const known = new Set<string>();
  return {
    add: (news: { readonly gaps: readonly InventoryGap[]; readonly known: readonly KnownSerial[] }) => {
      gaps = [...gaps, ...news.gaps];
      for (const { authorityId, serial } of news.known) known.add(keyOf(authorityId, serial));
    },
    lacks: (
      authorityId: AccountCaId,
      { notBefore, serial }: Pick<PresentedCertificate, 'notBefore' | 'serial'>,
    ) => isWithinGap(gaps, notBefore) && !known.has(keyOf(authorityId, serial)),
    clear: () => {
      gaps = [];
      known.clear();
    },
  };
}

function createRevokedSerials() {
  const known = new Map<string, number>();
  let sweepAt = MIN_SWEEP;
  const sweep = (now: number) => {
    for (const [key, notAfter] of known) if (notAfter <= now) known.delete(key);
    sweepAt = Math.max(MIN_SWEEP, known.size * 2);
  };
  return {
    add: (revoked: readonly RevokedSerial[]) => {
      for (const { authorityId, serial, notAfter } of revoked)
        known.set(keyOf(authorityId, serial), notAfter);
      if (known.size > sweepAt) sweep(Date.now());
    },
    has: (authorityId: AccountCaId, serial: string) => known.has(keyOf(authorityId, serial)),
    clear: () => known.clear(),
  };
}

function keyOf(authorityId: AccountCaId, serial: string): string {
  return `${authorityId} ${serial}`;
}

/** Below it, what is over is not worth looking for. */
const MIN_SWEEP = 10_000;

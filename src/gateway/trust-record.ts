// What workers were told of certificates, kept by the main thread for those that start later.

import type {
  InventoryGap,
  KnownSerial,
  RevokedSerial,
  TrustedAuthority,
  TrustNews,
} from '../domain/certificate-trust.ts';
import type { AccountCaId } from '../domain/id.ts';

export type TrustRecord = {
  readonly tell: (news: TrustNews) => void;
  /** Everything that counts now. */
  readonly all: () => TrustNews;
};

export function createTrustRecord(start: TrustNews): TrustRecord {
  const authorities = new Map<AccountCaId, TrustedAuthority>();
  const revoked = new Map<string, RevokedSerial>();
  let gaps: readonly InventoryGap[] = [];
  const known = new Map<string, KnownSerial>();
  const tell = (news: TrustNews) => {
    if (news.reset) {
      authorities.clear();
      revoked.clear();
      ({ gaps } = news);
      known.clear();
    }
    for (const id of news.gone) authorities.delete(id);
    for (const authority of news.authorities) authorities.set(authority.id, authority);
    for (const each of news.revoked) revoked.set(`${each.authorityId} ${each.serial}`, each);
    for (const each of news.known) known.set(each.id, each);
  };
  tell(start);
  return {
    tell,
    all: () => ({
      reset: true,
      authorities: [...authorities.values()].filter(({ notAfter }) => notAfter > Date.now()),
      gone: [],
      revoked: [...revoked.values()].filter(({ notAfter }) => notAfter > Date.now()),
      gaps,
      known: [...known.values()],
    }),
  };
}

// What the gates are told of certificates, read from the store: all of it, or what a change says is new.

import type {
  KnownSerial,
  RevokedSerial,
  TrustedAuthority,
  TrustNews,
} from '../../domain/certificate-trust.ts';
import type { RevokedSerialRow, TrustedCa } from '../../store/certificates/certificate.ts';
import type { Store } from '../../store/store.ts';
import type { Change } from '../../store/change.ts';
import { pem } from '../../x509/pem.ts';

export type TrustReader = {
  readonly all: () => Promise<TrustNews>;
  /** Null when none of the changes is about certificates. */
  readonly news: (changes: readonly Change[]) => Promise<TrustNews | null>;
};

export function createTrustReader(
  { cas, certificates }: Pick<Store, 'cas' | 'certificates'>,
  now: () => number,
): TrustReader {
  const allRevoked = async (): Promise<RevokedSerial[]> => {
    const found: RevokedSerial[] = [];
    for (let after: string | null = null; ;) {
      const page = await certificates.allRevoked({ now: now(), after, limit: PAGE });
      found.push(...page.map(revokedSerial));
      if (page.length < PAGE) return found;
      after = page.at(-1)?.id ?? null;
    }
  };
  const allKnown = async (): Promise<KnownSerial[]> => {
    const found: KnownSerial[] = [];
    for (let after: string | null = null; ;) {
      const page = await certificates.knownInGaps({ now: now(), after, limit: PAGE });
      found.push(...page);
      if (page.length < PAGE) return found;
      after = page.at(-1)?.id ?? null;
    }
  };
  return {
    all: async () => {
      // Authorities last: what they revoked is known as soon as they count.
      const revoked = await allRevoked();
      const authorities = (await cas.all(now())).map(trustedAuthority);
      const [gaps, known] = [await certificates.gaps(now()), await allKnown()];
      return { reset: true, authorities, gone: [], revoked, gaps, known };
    },
    news: async (changes) => {
      const caIds = changes.flatMap((change) => (change.kind === 'ca' ? [change.id] : []));
      const certificateIds = changes.flatMap((change) => (change.kind === 'certificate' ? [change.id] : []));
      if (caIds.length + certificateIds.length === 0) return null;
      const revoked = (await certificates.revokedAmong(certificateIds)).map(revokedSerial);
      const known = await certificates.knownAmong(certificateIds, now());
      const authorities = (await cas.trustedAmong(caIds, now())).map(trustedAuthority);
      const trusted = new Set(authorities.map(({ id }) => id));
      return {
        reset: false,
        authorities,
        gone: caIds.filter((id) => !trusted.has(id)),
        revoked,
        gaps: [],
        known,
      };
    },
  };
}

function trustedAuthority({ id, accountId, certificate, trustedUntil }: TrustedCa): TrustedAuthority {
  return { id, accountId, certificate: pem('CERTIFICATE', certificate), notAfter: trustedUntil };
}

function revokedSerial({ caId, serial, notAfter }: RevokedSerialRow): RevokedSerial {
  return { authorityId: caId, serial, notAfter };
}

const PAGE = 5_000;

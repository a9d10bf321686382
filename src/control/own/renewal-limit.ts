// How often somebody may ask for a link that renews a certificate.

import { LRUCache } from 'lru-cache';
import type { CertificateId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Counts one, and throws `rate_limited` when it is one too many. */
export type RenewalLimit = (certificate: CertificateId) => void;

export function createRenewalLimit(now: () => number): RenewalLimit {
  const windows = new LRUCache<CertificateId, { count: number; readonly endsAt: number }>({
    max: MAX_CERTIFICATES,
  });
  return (certificate) => {
    const known = windows.get(certificate);
    const window =
      known === undefined || now() >= known.endsAt ? { count: 0, endsAt: now() + WINDOW_MS } : known;
    window.count += 1;
    windows.set(certificate, window);
    if (window.count <= MOST) return;
    throw new ServiceError('rate_limited', 'Cannot make another link so soon', {
      hint: 'Only the newest link is good. Use that one, or try again later.',
      extra: { retryAfterSeconds: Math.ceil((window.endsAt - now()) / 1000) },
    });
  };
}

/** One that is lost, one for another device, and some to spare. */
const MOST = 5;
const WINDOW_MS = 10 * 60_000;
/** Less than 1 MB. */
const MAX_CERTIFICATES = 10_000;

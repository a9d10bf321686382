// How often somebody may ask for a link that renews a certificate.

import type { CertificateId } from '../../domain/id.ts';
import { createRateWindow } from '../../domain/rate-window.ts';
import { ServiceError } from '../../domain/service-error.ts';

/** Counts one, and throws `rate_limited` when it is one too many. */
export type RenewalLimit = (certificate: CertificateId) => void;

export function createRenewalLimit(now: () => number): RenewalLimit {
  const window = createRateWindow<CertificateId>(SIZE, now);
  return (certificate) => {
    const retryAfterSeconds = window.count(certificate);
    if (retryAfterSeconds === null) return;
    throw new ServiceError('rate_limited', 'Cannot create another link: the last one is too recent', {
      hint: 'Use the newest link, or try again later.',
      extra: { retryAfterSeconds },
    });
  };
}

/** One that is lost, one for another device, and some to spare. */
const SIZE = { most: 5, windowMs: 10 * 60_000, maxNames: 10_000 };

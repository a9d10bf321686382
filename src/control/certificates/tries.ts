// How often certificates may be asked for without an API key. Reading a request costs up to a fortieth of a
// second of the thread that everybody's calls and logins wait for, whether it is refused, answered once more
// or signed: so every try counts, for the token, and for all that is renewed from what it was redeemed for.
// Strangers' guesses never count against a token that is good.

import { createNetworkWindow } from '../../domain/network-window.ts';
import { createRateWindow } from '../../domain/rate-window.ts';
import { ServiceError } from '../../domain/service-error.ts';

export type CertificateTries = {
  /**
   * With a token that is known, or a certificate of its line. Throws `rate_limited` when there were too many.
   */
  readonly count: (line: string) => void;
  /** With what is no token. Throws `rate_limited` when there were too many from that address. */
  readonly countStranger: (address: string) => void;
};

export function createCertificateTries(now: () => number): CertificateTries {
  const lines = createRateWindow(SIZE, now);
  const strangers = createNetworkWindow(SIZE, now);
  return {
    count: (line) => refuse(lines.count(line)),
    countStranger: (address) => refuse(strangers.count(address)),
  };
}

function refuse(retryAfterSeconds: number | null): void {
  if (retryAfterSeconds === null) return;
  throw new ServiceError('rate_limited', 'Cannot issue a certificate: there were too many attempts', {
    extra: { retryAfterSeconds },
  });
}

/**
 * A person tries some requests until one is accepted; 256 random bits are not guessed in any number of tries.
 */
const SIZE = { most: 20, windowMs: 60_000, maxNames: 20_000 };

// How often certificates may be asked for without an API key. Reading a request costs up to a fortieth of a second of the thread that
// everybody's calls and logins wait for, whether it is refused, answered once more or signed: so every try counts, for the
// token, and for all that is renewed from what it was redeemed for. Strangers' guesses never count against a token that is good.

import { LRUCache } from 'lru-cache';
import { addressSite } from '../../domain/address-site.ts';
import { ServiceError } from '../../domain/service-error.ts';

export type CertificateTries = {
  /** With a token that is known, or a certificate of its line. Throws `rate_limited` when there were too many. */
  readonly count: (line: string) => void;
  /** With what is no token. Throws `rate_limited` when there were too many from that address. */
  readonly countStranger: (address: string) => void;
};

export function createCertificateTries(now: () => number): CertificateTries {
  const windows = new LRUCache<string, { tries: number; readonly endsAt: number }>({ max: MAX_NAMES });
  const count = (name: string): void => {
    const known = windows.get(name);
    const window =
      known !== undefined && now() < known.endsAt ? known : { tries: 0, endsAt: now() + WINDOW_MS };
    window.tries += 1;
    windows.set(name, window);
    if (window.tries <= MAX_TRIES) return;
    throw new ServiceError('rate_limited', 'Cannot give a certificate: there were too many tries', {
      extra: { retryAfterSeconds: Math.ceil((window.endsAt - now()) / 1000) },
    });
  };
  return {
    count: (line) => count(`of ${line}`),
    countStranger: (address) => count(`from ${addressSite(address)}`),
  };
}

/** A person tries some requests until one is accepted; 256 random bits are not guessed in any number of tries. */
const MAX_TRIES = 20;
const WINDOW_MS = 60_000;
/** About 2 MB at most. */
const MAX_NAMES = 20_000;

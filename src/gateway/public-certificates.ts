// What a TLS front asks for where certificates come by themselves: one for a host of ours that has none yet,
// and the answer to a challenge (RFC 8737). Strangers choose both names, so what is no host of ours asks
// nobody, and few wait at once.

import type { TlsMaterial } from '../http/tls-contexts.ts';
import type { GateParts } from './gate-parts.ts';
import type { Questions } from './questions.ts';
import type { RouteTable } from './route-table.ts';

export type PublicCertificates = {
  /** Whether handshakes are looked at for the two. */
  readonly areOwn: () => boolean;
  /**
   * Resolves once there may be one for that host, or there is none to be had now. Null when nobody is to
   * wait.
   */
  readonly awaited: (host: string) => Promise<void> | null;
  /** Null when no challenge waits there. */
  readonly challenge: (host: string) => Promise<TlsMaterial | null>;
};

export function createPublicCertificates({
  parts,
  routes,
  ask,
}: {
  readonly parts: () => GateParts;
  readonly routes: RouteTable;
  readonly ask: Questions['ask'];
}): PublicCertificates {
  const waiting = new Map<string, Promise<void>>();
  let challenges = 0;
  const isOurs = (host: string) =>
    routes.findByHost(host) !== undefined ||
    parts().inside.has(host) ||
    parts().settings.tunnel.host === host;
  return {
    areOwn: () => parts().settings.acme === true,
    awaited: (host) => {
      if (parts().settings.acme !== true || !isOurs(host)) return null;
      const known = waiting.get(host);
      if (known !== undefined) return known;
      if (waiting.size >= MAX_WAITING_HOSTS) return null;
      const asked = ask({ ask: 'certificate', host }).then(() => void waiting.delete(host));
      waiting.set(host, asked);
      return asked;
    },
    challenge: async (host) => {
      if (challenges >= MAX_CHALLENGES) return null;
      challenges++;
      try {
        const answer = await ask({ ask: 'challenge', host });
        return answer.kind === 'challenge' ? answer.material : null;
      } finally {
        challenges--;
      }
    },
  };
}

/** One order runs at a time: more than these would only wait in vain. */
const MAX_WAITING_HOSTS = 100;
/** An ACME server looks from a handful of places. */
const MAX_CHALLENGES = 100;

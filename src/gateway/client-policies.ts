// Which hosts ask for whose certificates: a share that asks, for those of its account. All of an account's
// shares are one policy, since each of them asks for the same authorities in its handshake; what else a
// certificate must be is a matter of each request. The control API asks for those of all accounts, and so
// does the host of tunnels.

import { asksAtHandshake } from '../domain/share-rules.ts';
import type { GateParts } from './gate-parts.ts';
import type { RouteTable } from './route-table.ts';
import type { ClientPolicies } from './tls-front.ts';

export function createClientPolicies({
  parts,
  routes,
}: {
  readonly parts: () => GateParts;
  readonly routes: RouteTable;
}): ClientPolicies {
  return {
    asked: () =>
      routes.certificateShares() > 0 ||
      parts().settings.controlCertificates !== null ||
      asksAgents(parts(), 'gateway'),
    nameless: () => 'none',
    of: (host) => {
      if (parts().settings.controlCertificates?.host === host) return 'control';
      const { tunnel } = parts().settings;
      if (tunnel.atGateway && tunnel.host === host) return asksAgents(parts(), 'gateway') ? 'tunnel' : 'none';
      // The service's own hosts come first, as they do when a request is routed.
      if (parts().inside.has(host)) return 'none';
      const share = routes.findByHost(host);
      return share !== undefined && asksAtHandshake(share) ? share.accountId : 'none';
    },
  };
}

/** Where agents alone come, by whatever name. */
export function createAgentPolicies(parts: () => GateParts): ClientPolicies {
  const policy = () => (asksAgents(parts(), 'own') ? 'tunnel' : 'none');
  return { asked: () => policy() !== 'none', nameless: policy, of: policy };
}

function asksAgents({ settings }: GateParts, at: 'gateway' | 'own'): boolean {
  return settings.tunnel.asksCertificates?.[at] === true;
}

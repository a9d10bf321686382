// Whether the names that visitors, members and programs use lead anywhere.

import type { Config } from '../../config/config.ts';
import { type Check, fails, passes } from '../../domain/check.ts';
import { isLoopbackName } from '../../domain/host-name.ts';
import { readHost } from '../../domain/ip-address.ts';
import { tunnelUrl } from '../../serve/gate-settings.ts';

/** Addresses of a name; rejects when there are none. */
export type Lookup = (name: string) => Promise<readonly string[]>;

/** `label` is one that no share has: only a wildcard answers for it. */
export async function dnsChecks(config: Config, lookup: Lookup, label: string): Promise<readonly Check[]> {
  const { gateway, oauth, control } = config;
  const { domain } = gateway.publicUrl;
  const tunnels = tunnelUrl(config);
  return Promise.all([
    resolves(`*.${domain}`, { host: `${label}.${domain}`, next: `Create a DNS record *.${domain}.` }, lookup),
    resolves('tunnels', { host: tunnels.hostname, next: recordHint(tunnels) }, lookup),
    resolves(
      'OAuth frontend',
      { host: oauth.endpointUrl.hostname, next: recordHint(oauth.endpointUrl) },
      lookup,
    ),
    resolves(
      'control API',
      { host: control.publicUrl.hostname, next: recordHint(control.publicUrl) },
      lookup,
    ),
  ]);
}

async function resolves(
  name: string,
  { host, next }: { readonly host: string; readonly next: string },
  lookup: Lookup,
): Promise<Check> {
  if (readHost(host).kind === 'address') return passes(name, `${host} is an IP address`);
  if (isLoopbackName(host)) return passes(name, 'on this machine (localhost name)');
  try {
    const addresses = await lookup(host);
    if (addresses.length > 0) return passes(name, `${host} is ${addresses.slice(0, MOST_SHOWN).join(', ')}`);
  } catch {
    // Whatever the resolver says, nobody gets there.
  }
  return fails(name, `${host} does not resolve`, next);
}

function recordHint({ hostname }: URL): string {
  return `Create a DNS record for ${hostname}.`;
}

const MOST_SHOWN = 4;

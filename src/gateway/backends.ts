// From a share's target to connections: the address is checked each time one is opened, and exactly the
// checked address is dialled (DESIGN "Calls out").

import { connect, type NetConnectOpts } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { readTargetUrl } from '../domain/target-url.ts';
import { portOf } from '../domain/url-place.ts';
import { createAddressList } from '../domain/address-list.ts';
import { pinnedLookup, type DialAddress, type DialRules } from '../providers/dial-target.ts';
import { atMost } from '../domain/at-most.ts';
import type { AccountId } from '../domain/id.ts';
import type { GateSettings } from './messages.ts';
import { createTargetAddress } from './target-address.ts';
import type { DialOptions, UpstreamOrigin } from './upstream/upstream-request.ts';

export type Backends = {
  /** The origin of a share's target (`http://127.0.0.1:3000`), which that account named. */
  readonly ofTarget: (target: string, accountId: AccountId) => TargetOrigin;
  /** One of the service's own listeners, behind a Unix socket. */
  readonly ofSocket: (path: string) => UpstreamOrigin;
};

export type TargetOrigin = UpstreamOrigin & {
  /** As a Host header names it: without the port where that is the scheme's own. */
  readonly host: string;
  /** The same by HTTP/2, and whether all that can go so does, or gRPC alone. Null where nothing does. */
  readonly byHttp2: { readonly origin: UpstreamOrigin; readonly of: 'all' | 'grpc' } | null;
};

/** `generation` keeps connections made under former rules from being used again. */
export function createBackends(settings: GateSettings, generation: number): Backends {
  const rules: DialRules = {
    allow: createAddressList(settings.directTargets),
    ownListeners: settings.ownListeners,
    refused: 'backend_refused',
    unresolved: 'backend_down',
  };
  const origins = new LRUCache<string, TargetOrigin>(atMost(MAX_ORIGINS));
  const remember = (key: string, make: () => TargetOrigin): TargetOrigin => {
    const known = origins.get(key);
    if (known !== undefined) return known;
    const origin = make();
    origins.set(key, origin);
    return origin;
  };
  return {
    ofTarget: (target, accountId) =>
      remember(`${accountId} ${target}`, () => targetOrigin(target, generation, { accountId, rules })),
    ofSocket: (path) =>
      remember(`unix ${path}`, () => ({
        key: `unix ${path}`,
        host: 'localhost',
        byHttp2: null,
        dial: (options) => connect({ path, ...options }),
      })),
  };
}

function targetOrigin(
  target: string,
  generation: number,
  by: { readonly accountId: AccountId; readonly rules: DialRules },
): TargetOrigin {
  const { scheme, url } = readTargetUrl(target) ?? { scheme: 'http', url: new URL(target) };
  const secure = scheme === 'https';
  const address = createTargetAddress({ host: url.hostname, port: portOf(url) }, by);
  const key = `${generation} ${url.origin}`;
  const { host, hostname } = url;
  const dialled =
    (protocol: Protocol) =>
    async (options: DialOptions): Promise<Duplex> =>
      open(await address(), { options, secure, hostname, protocol });
  const origin = { key, host, dial: dialled('http/1.1') };
  if (scheme === 'http') return { ...origin, byHttp2: null };
  const http2 = {
    key: `${key} by HTTP/2`,
    dial: dialled('h2'),
    http2: url.protocol === 'https:' ? 'https' : 'http',
  } as const;
  return { ...origin, byHttp2: { origin: http2, of: scheme === 'h2c' ? 'all' : 'grpc' } };
}

type Protocol = 'http/1.1' | 'h2';

type Opening = {
  readonly options: DialOptions;
  readonly secure: boolean;
  readonly hostname: string;
  readonly protocol: Protocol;
};

function open(dial: DialAddress, { options, secure, hostname, protocol }: Opening): Duplex {
  const where: NetConnectOpts = {
    // A name with several addresses is tried in turn; the lookup answers what was checked, and asks nobody.
    host: dial.others.length === 0 ? dial.address : hostname,
    port: dial.port,
    lookup: pinnedLookup(dial),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  };
  if (!secure) return connect({ ...where, ...options });
  const literal = /^\[|^[\d.]+$/.test(hostname);
  // The certificate is checked against the name in the target, whichever address it led to.
  const servername = literal ? {} : { servername: hostname };
  return connectTls({
    ...where,
    ...options,
    ...servername,
    host: literal ? dial.address : hostname,
    ALPNProtocols: [protocol],
  });
}

/** A dead peer of an idle WebSocket is noticed within minutes rather than hours. */
const KEEP_ALIVE_MS = 60_000;
const MAX_ORIGINS = 20_000;

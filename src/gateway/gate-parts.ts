// What the gate makes of its settings, once for each time they are read.

import { hostOrigin, type PublicBase } from '../domain/share-name.ts';
import { shortHash } from '../domain/secret.ts';
import { hostSessionCookieName } from '../login/host-session-cookie.ts';
import { createSeal, type Seal } from '../login/seal.ts';
import { createAssertions } from './assertion.ts';
import { createBackends, type Backends } from './backends.ts';
import { createEveryIdentity, type EveryIdentity } from './forward-auth/every-identity.ts';
import { createRequireMayAsk, type RequireMayAsk } from './forward-auth/may-ask.ts';
import { createTrustedProxies, type TrustedProxies } from './forwarding-headers.ts';
import { createHeaderKinds, OVERRIDES, type HeaderKinds } from './header-kind.ts';
import { isBindingCookie } from './binding.ts';
import { createIdentities, type Identities } from './identities.ts';
import type { GateSettings } from './messages.ts';
import { createSessionsOf, type SessionsOf } from './sessions-of.ts';
import type { StripRules } from './strip.ts';

export type GateParts = {
  readonly settings: GateSettings;
  /** Counts the settings of this worker. */
  readonly generation: number;
  readonly base: PublicBase;
  readonly endpointUrl: URL;
  /** The origin of a share host as visitors see it. */
  readonly originOf: (host: string) => string;
  /** Whether visitors come over https, so that sessions are bound to their browser. */
  readonly secure: boolean;
  readonly seal: Seal;
  readonly kinds: HeaderKinds;
  readonly shareStrip: StripRules;
  /** As that, and without the headers by which backends take another path or method. */
  readonly shareStripStrictly: StripRules;
  /** For the service's own hosts, which need their cookies. */
  readonly insideStrip: StripRules;
  /** Whether a name, in lower case, is one that no backend may set. */
  readonly isOwnCookie: (name: string) => boolean;
  readonly sessionsOf: SessionsOf;
  readonly identities: Identities;
  readonly everyIdentity: EveryIdentity;
  readonly isTrusted: TrustedProxies;
  readonly requireMayAsk: RequireMayAsk;
  readonly backends: Backends;
  /** Host to Unix socket. */
  readonly inside: ReadonlyMap<string, string>;
  /** Names this installation in the loop marker. */
  readonly hopId: string;
};

/**
 * `generation` counts the settings of this worker. Throws `validation_failed` for lists that cannot be read.
 */
export function createGateParts(settings: GateSettings, generation: number): GateParts {
  const seal = createSeal(settings.keys);
  const kinds = createHeaderKinds(settings.identityHeaderPrefix);
  const originOf = (host: string) => hostOrigin(host, settings.publicUrl);
  const cookieName = settings.cookieName.toLowerCase();
  const hostCookieName = hostSessionCookieName(settings.cookieName);
  const ownCookie = (name: string) =>
    name === settings.cookieName || name === hostCookieName || isBindingCookie(name);
  return {
    settings,
    generation,
    base: settings.publicUrl,
    endpointUrl: new URL(settings.endpointUrl),
    originOf,
    secure: settings.publicUrl.scheme === 'https',
    seal,
    kinds,
    shareStrip: { kinds, ownCookie },
    shareStripStrictly: {
      kinds: createHeaderKinds(settings.identityHeaderPrefix, OVERRIDES),
      ownCookie,
    },
    insideStrip: { kinds, ownCookie: () => false },
    isOwnCookie: (name) =>
      name === cookieName || name === hostCookieName.toLowerCase() || RESERVED_COOKIES.test(name),
    sessionsOf: createSessionsOf(seal, settings),
    identities: createIdentities({
      prefix: settings.identityHeaderPrefix,
      assertions: createAssertions({ jwk: settings.assertionKey, issuer: settings.endpointUrl }),
      originOf,
    }),
    everyIdentity: createEveryIdentity(settings.identityHeaderPrefix),
    isTrusted: createTrustedProxies(settings.trustedProxies),
    requireMayAsk: createRequireMayAsk(settings.forwardAuth),
    backends: createBackends(settings, generation),
    inside: new Map(settings.inside.map(({ host, socketPath }) => [host, socketPath])),
    hopId: shortHash(`hop ${String(settings.assertionKey['kid'])}`),
  };
}

/**
 * The gateway's binding cookies and the OAuth host's own (DESIGN "Bound to the browser", "One browser, many
 * logins"): host-only, and no backend's to set; nor are those of long addresses.
 */
const RESERVED_COOKIES = /^(?:__host-svc-auth-|(?:__secure-)?svc-auth-address-)/;

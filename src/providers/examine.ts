// Whether logins with a provider can work, as far as can be seen without a person who logs in (contract 5.5;
// DESIGN 2.4 `provider test`): what it publishes, whether it answers, whether it knows us. It changes nothing
// at the provider.

import { allPassed, type Check } from '../domain/check.ts';
import { kindOf } from '../domain/provider-kinds.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import { believing } from './believing.ts';
import { createProvider, examinerOf } from './create.ts';
import type { OutboundFetch } from './dialler.ts';
import type { ToRegister } from './examiner.ts';

export type ExamineDeps = {
  /** Calls out, within the limits of whoever named the provider. */
  readonly fetch: OutboundFetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** `oauth.endpoint_url`. */
  readonly endpointUrl: URL;
};

export type Examination = ToRegister & {
  readonly provider: string;
  /** No check failed. */
  readonly passed: boolean;
  readonly checks: readonly Check[];
  /** What contract 5.5 asks for and nobody can see from outside. */
  readonly notSeen: readonly string[];
};

/** Never rejects for what the provider does. Ends within `EXAMINE_LIMIT_MS`. */
export async function examineProvider(settings: ProviderSettings, deps: ExamineDeps): Promise<Examination> {
  const limit = AbortSignal.timeout(EXAMINE_LIMIT_MS);
  const outbound = believing(deps.fetch, settings);
  const fetch: OutboundFetch = (url, request) =>
    outbound(url, {
      ...request,
      signal: request.signal ? AbortSignal.any([limit, request.signal]) : limit,
    });
  const register = toRegister(settings, deps.endpointUrl);
  const { now } = deps;
  const createLogin = (by: OutboundFetch) => createProvider(settings, { fetch: by, now });
  const checks = await examinerOf(settings.type)(settings, { fetch, now, register, createLogin });
  return { provider: settings.name, passed: allPassed(checks), checks, ...register, notSeen: NOT_SEEN };
}

/** Contract 4.1 and OpenID Connect's logouts. */
export function toRegister(settings: ProviderSettings, endpointUrl: URL): ToRegister {
  const base = `${endpointUrl.origin}/${settings.name}`;
  return {
    redirectUrl: `${base}/auth/callback`,
    backchannelLogoutUrl: kindOf(settings.type).hasLogout ? `${base}/backchannel-logout` : null,
    postLogoutRedirectUrl: settings.rpInitiatedLogout === true ? `${base}/logged-out` : null,
  };
}

const NOT_SEEN: readonly string[] = [
  'multi-factor authentication',
  'audit logs',
  'how long logins last at the provider',
];
/**
 * Discovery, then everything else at once, each call within the dialler's 10 s; below the 30 s that the
 * client waits.
 */
const EXAMINE_LIMIT_MS = 20_000;

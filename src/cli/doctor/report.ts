// Everything that `doorward doctor` looks at, in the order of a visitor's way in. It changes nothing.

import { stat } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { allPassed, type Check, passes, warns } from '../../domain/check.ts';
import { shareHost } from '../../domain/share-name.ts';
import { isClockUnseen } from '../../providers/examine-clock.ts';
import { examineConfigured } from '../../providers/examine-configured.ts';
import type { ToRegister } from '../../providers/examiner.ts';
import { acmeChecks } from './acme-checks.ts';
import type { CheckGroup } from './check-group.ts';
import { configurationChecks } from './configuration-checks.ts';
import { cookieChecks } from './cookie-checks.ts';
import { dnsChecks, type Lookup } from './dns-checks.ts';
import { askHost, forwardAuthChecks } from './forward-auth-checks.ts';
import { keyChecks } from './key-checks.ts';
import { portChecks } from './port-checks.ts';
import { storeChecks } from './store-checks.ts';
import { tracingChecks } from './tracing-checks.ts';
import { tlsChecks } from './tls-checks.ts';

export type DoctorReport = {
  readonly passed: boolean;
  readonly groups: readonly CheckGroup[];
  /** What to register at each provider of the configuration. */
  readonly register: readonly (ToRegister & { readonly provider: string })[];
};

export type DoctorDeps = { readonly now: () => number; readonly lookup: Lookup; readonly label: string };

export async function examineService(config: Config, deps: DoctorDeps): Promise<DoctorReport> {
  const { now, lookup, label } = deps;
  const { oauth } = config;
  const [dns, written, [store, tls, forwardAuth], keys, ports, traces, providers] = await Promise.all([
    dnsChecks(config, lookup, label),
    stat(config.file),
    checksByStore(config, now),
    keyChecks(config),
    portChecks(config),
    config.tracing === null ? null : tracingChecks(config.tracing),
    Promise.all(
      oauth.providers.map((each) => examineConfigured(each, { now, endpointUrl: oauth.endpointUrl })),
    ),
  ]);
  const ofProviders = providers.flatMap(({ checks }) => checks);
  const groups = [
    { name: 'configuration', checks: configurationChecks(config) },
    { name: 'DNS', checks: dns },
    { name: 'TLS', checks: tls },
    { name: 'cookies', checks: cookieChecks(config) },
    { name: 'clock', checks: clockChecks(now(), written, [...store, ...ofProviders]) },
    { name: 'keys', checks: keys },
    { name: 'store', checks: store },
    { name: 'listeners', checks: ports },
    ...(forwardAuth.length === 0 ? [] : [{ name: 'forward auth', checks: forwardAuth }]),
    ...(traces === null ? [] : [{ name: 'traces', checks: traces }]),
    ...providers.map(({ provider, checks }) => ({ name: `provider ${provider}`, checks })),
  ];
  return {
    passed: groups.every(({ checks }) => allPassed(checks)),
    groups,
    register: providers.map(({ provider, redirectUrl, backchannelLogoutUrl, postLogoutRedirectUrl }) => ({
      provider,
      redirectUrl,
      backchannelLogoutUrl,
      postLogoutRedirectUrl,
    })),
  };
}

/** Which certificates are needed, and what of proxies, depends on the shares. */
async function checksByStore(
  config: Config,
  now: () => number,
): Promise<readonly [store: readonly Check[], tls: readonly Check[], forwardAuth: readonly Check[]]> {
  const { checks, customHosts, behind, acme } = await storeChecks(config, now);
  return [
    checks,
    [...acmeChecks(config, acme, now()), ...(await tlsChecks(config, now(), customHosts, acme))],
    await forwardAuthChecks(
      config,
      behind.map((name) => shareHost(name, config.gateway.publicUrl)),
      askHost,
    ),
  ];
}

/**
 * Providers and a PostgreSQL server are compared with where they are examined; without any, nobody knows
 * whether it is right.
 */
export function clockChecks(
  now: number,
  { mtimeMs }: { readonly mtimeMs: number },
  others: readonly Check[],
): readonly Check[] {
  const shown = new Date(now).toISOString();
  if (now < mtimeMs - GRAIN_MS)
    return [warns('this machine', `${shown}, but the configuration file is newer`, NTP_HINT)];
  const compared = others.some(({ name, state }) => name === 'clock' && state === 'ok');
  if (compared) return [passes('this machine', `${shown}, confirmed by another clock`)];
  const off = others.some((check) => check.name === 'clock' && check.state !== 'ok' && !isClockUnseen(check));
  if (off) return [warns('this machine', `${shown}, but another clock differs`, NTP_HINT)];
  return [warns('this machine', `${shown}, not compared with another clock`, NTP_HINT)];
}

const NTP_HINT = 'Synchronize the clock with NTP.';
/** File systems keep times in steps of up to two seconds. */
const GRAIN_MS = 2_000;

// Whether the settings of a share mean something together, judged when it is made and at each change (contract 2.3).
// Pure: the target's address is checked in `share-target.ts`.

import type { ShareChanges } from '../client/share-object.ts';
import { parseDuration } from '../domain/duration.ts';
import { compileEmailPattern } from '../domain/email-pattern.ts';
import { parseOrigin } from '../domain/origin.ts';
import type { ProviderRef } from '../domain/provider-ref.ts';
import { ServiceError } from '../domain/service-error.ts';
import { DEFAULT_CHECK_INTERVAL_MS } from '../domain/share.ts';
import type { ShareSettings } from '../store/store.ts';
import { type InputFault, inputRefused } from './input-fault.ts';

export type LoginAndAccess = Omit<ShareSettings, 'target'>;

/** What a share is before anything was said of it. */
export const OPEN_SHARE: LoginAndAccess = {
  enabled: true,
  oauthProvider: null,
  oauthEmailAddressPatterns: [],
  oauthCheckIntervalMs: null,
  allowOrigins: [],
};

/**
 * The settings after a change. What the change leaves out stays; a provider taken away takes its patterns and interval
 * with it. Throws `validation_failed` with every fault.
 */
export function changeSettings(
  before: LoginAndAccess,
  change: Omit<ShareChanges, 'target'>,
  providers: readonly ProviderRef[],
): LoginAndAccess {
  const faults: InputFault[] = [];
  const login = changeLogin(before, change, faults);
  // Only a provider that is being set is judged: a share whose provider left the configuration can still be disabled.
  judgeProvider(change.oauthProvider ?? null, providers, faults);
  for (const [index, pattern] of (change.oauthEmailAddressPatterns ?? []).entries())
    note(faults, `oauthEmailAddressPatterns.${index}`, () => compileEmailPattern(pattern));
  const origins = change.allowOrigins?.map((text, index) =>
    note(faults, `allowOrigins.${index}`, () => parseOrigin(text)),
  );
  if (faults.length > 0) throw inputRefused(faults);
  return {
    ...login,
    enabled: change.enabled ?? before.enabled,
    allowOrigins:
      origins === undefined ? before.allowOrigins : [...new Set(origins.filter((origin) => origin !== null))],
  };
}

type Login = Pick<ShareSettings, 'oauthProvider' | 'oauthEmailAddressPatterns' | 'oauthCheckIntervalMs'>;

function changeLogin(before: Login, change: ShareChanges, faults: InputFault[]): Login {
  const oauthProvider = change.oauthProvider === undefined ? before.oauthProvider : change.oauthProvider;
  const patterns = change.oauthEmailAddressPatterns;
  const interval = change.oauthCheckInterval;
  if (oauthProvider === null) {
    const without = 'it needs an oauthProvider';
    if (patterns !== undefined && patterns.length > 0)
      faults.push({ path: 'oauthEmailAddressPatterns', message: without });
    if (interval !== undefined && interval !== null)
      faults.push({ path: 'oauthCheckInterval', message: without });
    return { oauthProvider, oauthEmailAddressPatterns: [], oauthCheckIntervalMs: null };
  }
  return {
    oauthProvider,
    oauthEmailAddressPatterns: patterns ?? before.oauthEmailAddressPatterns,
    oauthCheckIntervalMs: intervalOf(interval, before.oauthCheckIntervalMs, faults),
  };
}

function intervalOf(text: string | null | undefined, beforeMs: number | null, faults: InputFault[]): number {
  if (text === null) return DEFAULT_CHECK_INTERVAL_MS;
  if (text === undefined) return beforeMs ?? DEFAULT_CHECK_INTERVAL_MS;
  return note(faults, 'oauthCheckInterval', () => parseDuration(text)) ?? DEFAULT_CHECK_INTERVAL_MS;
}

function judgeProvider(name: string | null, providers: readonly ProviderRef[], faults: InputFault[]): void {
  if (name === null || providers.some((provider) => provider.name === name)) return;
  const known = providers.map((provider) => provider.name).join(', ');
  faults.push({
    path: 'oauthProvider',
    message: `there is no provider "${name}"; ${known === '' ? 'none is configured' : `there are: ${known}`}`,
  });
}

/** The name, when it is being set and the account defines the provider: it can be deleted at the same moment. */
export function definitionNamed(
  name: string | null | undefined,
  providers: readonly ProviderRef[],
): string | null {
  const provider = providers.find((known) => known.name === name);
  return provider === undefined || provider.accountId === null ? null : provider.name;
}

function note<Value>(faults: InputFault[], path: string, parse: () => Value): Value | null {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    faults.push({ path, message: error.message });
    return null;
  }
}

// Whether the settings of a share mean something together, judged when it is made and at each change (contract 2.3).
// Pure: the target's address is checked in `target.ts`.

import type { ClientCertificateChanges, ShareChanges } from '../../wire/share.ts';
import type { CertificateRule } from '../../domain/client-certificate.ts';
import { parseDuration } from '../../domain/duration.ts';
import { compileEmailPattern } from '../../domain/email-pattern.ts';
import { parseOrigin } from '../../domain/origin.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { DEFAULT_CHECK_INTERVAL_MS } from '../../domain/share.ts';
import type { ShareAccess } from '../../domain/share-access.ts';
import { requireTextGlob } from '../../domain/text-glob.ts';
import type { ShareSettings } from '../../store/shares/share.ts';
import { type InputFault, inputRefused } from '../input-fault.ts';

export type LoginAndAccess = Omit<ShareSettings, 'target'>;

/** What a share is before anything was said of it. */
export const OPEN_SHARE: LoginAndAccess = {
  enabled: true,
  oauthProvider: null,
  oauthEmailAddressPatterns: [],
  oauthCheckIntervalMs: null,
  clientCertificate: null,
  access: 'all',
  allowOrigins: [],
};

/**
 * The settings after a change. What the change leaves out stays; a provider taken away takes its patterns and interval
 * with it, and where one of login and certificate is left there is no choice between them. Throws `validation_failed` with every fault.
 */
export function changeSettings(
  before: LoginAndAccess,
  change: Omit<ShareChanges, 'target'>,
  providers: readonly ProviderRef[],
): LoginAndAccess {
  const faults: InputFault[] = [];
  const login = changeLogin(before, change, faults);
  const certificate = changeCertificate(before.clientCertificate, change.clientCertificate, faults);
  const access = accessOf({ ...login, clientCertificate: certificate }, change.access ?? before.access);
  if (change.access === 'either' && access === 'all')
    faults.push({ path: 'access', message: '"either" needs an oauthProvider and a clientCertificate' });
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
    clientCertificate: certificate,
    access,
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

function changeCertificate(
  before: CertificateRule | null,
  change: ClientCertificateChanges | null | undefined,
  faults: InputFault[],
): CertificateRule | null {
  if (change === undefined) return before;
  const { required = before !== null, subject, unit } = change ?? { required: false };
  if (!required) {
    const without = 'it needs clientCertificate.required';
    for (const [name, glob] of Object.entries({ subject, unit }))
      if (typeof glob === 'string') faults.push({ path: `clientCertificate.${name}`, message: without });
    return null;
  }
  for (const [name, glob] of Object.entries({ subject, unit }))
    if (typeof glob === 'string') note(faults, `clientCertificate.${name}`, () => requireTextGlob(glob));
  return {
    subject: subject === undefined ? (before?.subject ?? null) : subject,
    unit: unit === undefined ? (before?.unit ?? null) : unit,
  };
}

/** Of one way in alone there is no choice. */
function accessOf(
  { oauthProvider, clientCertificate }: Pick<ShareSettings, 'oauthProvider' | 'clientCertificate'>,
  wanted: ShareAccess,
): ShareAccess {
  return oauthProvider === null || clientCertificate === null ? 'all' : wanted;
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

// Whether a provider definition means something (contract 2.4, DESIGN 2.1): each type's own fields, scopes, addresses
// that may be called, patterns. Every fault is told at once.

import { portOf } from '../../domain/url-place.ts';
import type { ProviderConfigObject, ProviderCredentialObject } from '../../wire/provider.ts';
import { createAddressList } from '../../domain/address-list.ts';
import { loginParameterFault, MAX_LOGIN_PARAMETERS } from '../../domain/login-parameters.ts';
import { authoritiesFault } from '../../x509/trusted-authorities.ts';
import { compileEmailPattern } from '../../domain/email-pattern.ts';
import { isLoopbackName } from '../../domain/host-name.ts';
import {
  DEFINITION_TYPES,
  type DefinitionConfig,
  type DefinitionType,
} from '../../domain/provider-definition.ts';
import { isProviderName, isReservedProviderName } from '../../domain/provider-name.ts';
import {
  defaultApiUrl,
  GITHUB_URL,
  GOOGLE_ISSUER,
  isClaimName,
  isPrompt,
  isScope,
  PROVIDER_SCOPES,
} from '../../domain/provider-rules.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { checkTarget } from '../../providers/dial-target.ts';
import type { ControlSettings } from '../control-deps.ts';
import { type InputFault, inputRefused } from '../input-fault.ts';
import { credentialFaults } from './credential.ts';

/** Throws `validation_failed` for what is no name, `name_reserved`, or `name_taken` for one of the configuration's. */
export function parseNewProviderName(name: string, isConfigured: (name: string) => boolean): string {
  if (!isProviderName(name)) throw inputRefused([{ path: 'name', message: 'use 1 to 40 of a-z, 0-9 and -' }]);
  if (isReservedProviderName(name))
    throw new ServiceError('name_reserved', `Cannot name a provider "${name}": the service needs that name`);
  if (isConfigured(name))
    throw new ServiceError(
      'name_taken',
      `Cannot name a provider "${name}": the configuration has one of that name`,
    );
  return name;
}

/** The configuration of a definition with what its type takes for granted. Throws `validation_failed` with every fault. */
export async function parseProviderConfig(
  type: DefinitionType,
  given: ProviderConfigObject & ProviderCredentialObject,
  settings: Pick<ControlSettings, 'outboundAllow' | 'ownListeners'>,
): Promise<DefinitionConfig> {
  const faults: InputFault[] = [...foreignFields(type, given), ...credentialFaults(given)];
  const scopes = scopesOf(type, given.scopes, faults);
  if (given.prompt !== undefined && !isPrompt(given.prompt))
    faults.push({
      path: 'config.prompt',
      message: 'use login, consent, select_account or several, with spaces between, or an empty text',
    });
  judgeFurther(given, faults);
  for (const [index, pattern] of (given.emailPatterns ?? []).entries()) judgePattern(pattern, index, faults);
  const config = { ...addressesOf(type, given, faults), scopes, emailPatterns: given.emailPatterns ?? [] };
  for (const field of ['issuerUrl', 'baseUrl', 'apiUrl'] as const)
    await judgeAddress({ field, text: config[field], form: ADDRESS }, settings, faults);
  const discoveryUrl = given.discoveryUrl ?? null;
  await judgeAddress({ field: 'discoveryUrl', text: discoveryUrl, form: WITH_QUERY }, settings, faults);
  if (faults.length > 0) throw inputRefused(faults);
  return {
    ...config,
    clientId: given.clientId,
    supportsPkce: type === 'OIDC' ? (given.supportsPkce ?? true) : true,
    prompt: given.prompt ?? null,
    requireVerifiedEmail: type === 'OIDC' ? (given.requireVerifiedEmail ?? false) : true,
    rpInitiatedLogout: given.rpInitiatedLogout ?? false,
    discoveryUrl,
    emailClaim: given.emailClaim ?? null,
    trustedAuthorities: given.trustedAuthorities ?? null,
    loginParameters: given.loginParameters ?? {},
  };
}

function judgeFurther(
  { emailClaim, trustedAuthorities, loginParameters = {} }: ProviderConfigObject,
  faults: InputFault[],
): void {
  if (emailClaim !== undefined && !isClaimName(emailClaim))
    faults.push({ path: 'config.emailClaim', message: 'use the name of a claim, such as upn' });
  const wrong = trustedAuthorities === undefined ? null : authoritiesFault(trustedAuthorities);
  if (wrong !== null)
    faults.push({ path: 'config.trustedAuthorities', message: `use CA certificates as PEM; found ${wrong}` });
  const path = 'config.loginParameters';
  const all = Object.entries(loginParameters);
  if (all.length > MAX_LOGIN_PARAMETERS)
    faults.push({ path, message: `use at most ${MAX_LOGIN_PARAMETERS} parameters` });
  for (const [name, value] of all) {
    const message = loginParameterFault(name, value);
    if (message !== null) faults.push({ path, message });
  }
}

function foreignFields(type: DefinitionType, given: ProviderConfigObject): readonly InputFault[] {
  return Object.entries(given)
    .filter(
      ([field, value]) =>
        value !== undefined && !COMMON_FIELDS.has(field) && !OWN_FIELDS[type].includes(field),
    )
    .map(([field]) => ({ path: `config.${field}`, message: `a ${type} provider has no such field` }));
}

function scopesOf(
  type: DefinitionType,
  given: readonly string[] | undefined,
  faults: InputFault[],
): readonly string[] {
  const { needed, absent } = PROVIDER_SCOPES[DEFINITION_TYPES[type]];
  const scopes = given ?? absent;
  const path = 'config.scopes';
  if (scopes === null) {
    faults.push({ path, message: `name them: ${needed.join(', ')} and what else is wanted` });
    return [];
  }
  for (const [index, scope] of scopes.entries())
    if (!isScope(scope)) faults.push({ path: `${path}.${index}`, message: 'one scope, without spaces' });
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length > 0) faults.push({ path, message: `${missing.join(', ')} must be among them` });
  if (new Set(scopes).size < scopes.length) faults.push({ path, message: 'name each scope once' });
  return scopes;
}

type Addresses = Pick<DefinitionConfig, 'issuerUrl' | 'baseUrl' | 'apiUrl'>;

function addressesOf(type: DefinitionType, given: ProviderConfigObject, faults: InputFault[]): Addresses {
  if (type === 'GITHUB') {
    const baseUrl = (given.baseUrl ?? GITHUB_URL).replace(/\/+$/, '');
    return { issuerUrl: null, baseUrl, apiUrl: (given.apiUrl ?? defaultApiUrl(baseUrl)).replace(/\/+$/, '') };
  }
  const issuerUrl = given.issuerUrl ?? (type === 'GOOGLE' ? GOOGLE_ISSUER : null);
  if (issuerUrl === null) faults.push({ path: 'config.issuerUrl', message: 'an OIDC provider needs one' });
  return { issuerUrl, baseUrl: null, apiUrl: null };
}

type GivenAddress = {
  readonly field: keyof Addresses | 'discoveryUrl';
  readonly text: string | null;
  readonly form: RegExp;
};

/** A name that does not resolve now may do so later, and is judged whenever it is called; an address that is forbidden is refused. */
async function judgeAddress(
  { field, text, form }: GivenAddress,
  settings: Pick<ControlSettings, 'outboundAllow' | 'ownListeners'>,
  faults: InputFault[],
): Promise<void> {
  if (text === null) return;
  const path = `config.${field}`;
  const url = form.test(text) ? URL.parse(text) : null;
  if (url === null || (url.protocol === 'http:' && !isLoopbackName(url.hostname))) {
    faults.push({ path, message: 'an https address without query, fragment or user' });
    return;
  }
  const port = portOf(url);
  try {
    await checkTarget(
      { host: url.hostname, port },
      {
        allow: createAddressList(settings.outboundAllow),
        ownListeners: settings.ownListeners,
        refused: 'target_refused',
        unresolved: 'provider_unreachable',
      },
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'target_refused')
      faults.push({ path, message: `it may not be called (the operator can list it under outbound_allow)` });
  }
}

function judgePattern(pattern: string, index: number, faults: InputFault[]): void {
  try {
    compileEmailPattern(pattern);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    faults.push({ path: `config.emailPatterns.${index}`, message: error.message });
  }
}

const COMMON_FIELDS: ReadonlySet<string> = new Set([
  'clientId',
  'clientSecret',
  'scopes',
  'prompt',
  'trustedAuthorities',
  'loginParameters',
  'emailPatterns',
]);
const OWN_FIELDS: Readonly<Record<DefinitionType, readonly string[]>> = {
  OIDC: [
    'clientPrivateKey',
    'clientKeyId',
    'issuerUrl',
    'discoveryUrl',
    'emailClaim',
    'supportsPkce',
    'requireVerifiedEmail',
    'rpInitiatedLogout',
  ],
  GOOGLE: ['issuerUrl'],
  GITHUB: ['baseUrl', 'apiUrl'],
};
const ADDRESS = /^https?:\/\/[^\s/?#@\\\p{Cc}]+(?:\/[^\s?#@\\\p{Cc}]*)?$/iu;
const WITH_QUERY = /^https?:\/\/[^\s/?#@\\\p{Cc}]+(?:\/[^\s#@\\\p{Cc}]*)?$/iu;

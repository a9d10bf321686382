// What the form of a provider holds, and the definition that it means. Its credential goes in and never comes out.

import type {
  NewProvider,
  ProviderConfigChanges,
  ProviderConfigObject,
  ProviderCredentialObject,
  ProviderObject,
  ProviderType,
} from '../../../src/wire/provider.ts';
import type { Fields } from '../parts/conflict.ts';

export type Draft = {
  readonly issuerUrl: string;
  readonly clientId: string;
  /** What the client proves itself with. */
  readonly credential: 'secret' | 'key';
  /** Empty keeps the credential that is there. */
  readonly clientSecret: string;
  /** PEM; `OIDC` alone. Empty keeps the credential that is there. */
  readonly clientPrivateKey: string;
  readonly clientKeyId: string;
  readonly scopes: string;
  readonly supportsPkce: boolean;
  readonly requireVerifiedEmail: boolean;
  readonly rpInitiatedLogout: boolean;
  readonly prompt: string;
  /** Without a prompt of its own: whether people are asked for consent when a refresh token needs it. */
  readonly asksConsent: boolean;
  /** Empty: below the issuer. */
  readonly discoveryUrl: string;
  readonly emailClaim: string;
  /** `name=value`, one a line. */
  readonly loginParameters: string;
  /** PEM. */
  readonly trustedAuthorities: string;
  /** GitHub Enterprise Server; empty for github.com. */
  readonly baseUrl: string;
  readonly apiUrl: string;
  /** Globs, one a line. */
  readonly emailPatterns: string;
};

export const NEW_DRAFT: Draft = {
  issuerUrl: '',
  clientId: '',
  credential: 'secret',
  clientSecret: '',
  clientPrivateKey: '',
  clientKeyId: '',
  scopes: 'openid email profile offline_access',
  supportsPkce: true,
  requireVerifiedEmail: true,
  rpInitiatedLogout: false,
  prompt: '',
  asksConsent: true,
  discoveryUrl: '',
  emailClaim: '',
  loginParameters: '',
  trustedAuthorities: '',
  baseUrl: '',
  apiUrl: '',
  emailPatterns: '',
};

export function draftOf({ type, config }: ProviderObject): Draft {
  const isServer = type === 'GITHUB' && config.baseUrl !== undefined && config.baseUrl !== GITHUB;
  return {
    ...NEW_DRAFT,
    issuerUrl: config.issuerUrl ?? '',
    clientId: config.clientId,
    scopes: (config.scopes ?? []).join(' '),
    supportsPkce: config.supportsPkce ?? true,
    requireVerifiedEmail: config.requireVerifiedEmail ?? true,
    rpInitiatedLogout: config.rpInitiatedLogout ?? false,
    prompt: config.prompt ?? '',
    asksConsent: config.prompt !== '',
    discoveryUrl: config.discoveryUrl ?? '',
    emailClaim: config.emailClaim ?? '',
    loginParameters: parametersText(config),
    trustedAuthorities: config.trustedAuthorities ?? '',
    baseUrl: isServer ? (config.baseUrl ?? '') : '',
    apiUrl: isServer ? (config.apiUrl ?? '') : '',
    emailPatterns: (config.emailPatterns ?? []).join('\n'),
  };
}

export function newProvider(type: ProviderType, name: string, draft: Draft): NewProvider {
  return { type, name: name.trim(), config: { ...configOf(type, draft), ...credentialOf(type, draft) } };
}

/** What to send: the parts that differ. Null when the form says what is there. A credential that was typed always differs: nobody knows the one that is kept. */
export function draftChanges(start: ProviderObject, draft: Draft): ProviderConfigChanges | null {
  const [before, after] = [configOf(start.type, draftOf(start)), configOf(start.type, draft)];
  const parts = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof ProviderConfigObject)[]);
  const entries = [...parts]
    .filter((part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]))
    .map((part) => [part, after[part] ?? null] as const);
  const typed = Object.entries(credentialOf(start.type, draft)).filter(([, text]) => text !== '');
  if (entries.length === 0 && typed.length === 0) return null;
  return Object.fromEntries([...entries, ...typed]);
}

/** The definition as it would be: for showing, before the changes are sent. */
export function withDraftChanges(provider: ProviderObject, changed: ProviderConfigChanges): ProviderObject {
  const { clientSecret, clientPrivateKey, clientKeyId: _keyId, ...changes } = changed;
  const { clientId = provider.config.clientId } = changes;
  const whole = Object.entries({ ...provider.config, ...changes });
  const config = { ...Object.fromEntries(whole.filter(([, value]) => value !== null)), clientId };
  if (clientSecret !== undefined) NEW_CREDENTIALS.set(config, 'secret');
  if (clientPrivateKey !== undefined) NEW_CREDENTIALS.set(config, 'key');
  return { ...provider, config };
}

/** A definition field by field, in the words of the form. */
export function providerFields(provider: ProviderObject): Fields {
  const { config } = provider;
  return {
    Issuer: config.issuerUrl ?? '',
    Server: config.baseUrl ?? '',
    API: config.apiUrl ?? '',
    'Client ID': config.clientId,
    'Client secret': NEW_CREDENTIALS.get(config) === 'secret' ? 'a new one' : 'as it is',
    'Private key': NEW_CREDENTIALS.get(config) === 'key' ? 'a new one' : 'as it is',
    Scopes: (config.scopes ?? []).join(' '),
    PKCE: onOff(config.supportsPkce),
    'Verified addresses only': onOff(config.requireVerifiedEmail),
    'Logout at the provider': onOff(config.rpInitiatedLogout),
    Prompt: promptText(config),
    Metadata: config.discoveryUrl ?? '',
    'Email claim': config.emailClaim ?? '',
    'Login parameters': parametersText(config),
    'CA certificates': config.trustedAuthorities ?? '',
    'Addresses it may let in': (config.emailPatterns ?? []).join('\n') || 'any',
  };
}

/** As typed, empty texts too, but for a key ID that nobody typed. */
function credentialOf(type: ProviderType, draft: Draft): ProviderCredentialObject {
  const { credential, clientSecret, clientPrivateKey, clientKeyId } = draft;
  if (type !== 'OIDC' || credential === 'secret') return { clientSecret };
  return { clientPrivateKey: clientPrivateKey.trim(), ...given({ clientKeyId }) };
}

function configOf(type: ProviderType, draft: Draft): ProviderConfigObject {
  const emailPatterns = words(draft.emailPatterns);
  const prompt = draft.prompt.trim();
  const asked = prompt !== '' || (type !== 'GITHUB' && !draft.asksConsent) ? { prompt } : {};
  const { trustedAuthorities } = draft;
  const loginParameters = parametersOf(draft.loginParameters);
  return {
    clientId: draft.clientId.trim(),
    ...OWN_PARTS[type](draft),
    ...asked,
    ...(Object.keys(loginParameters).length === 0 ? {} : { loginParameters }),
    ...given({ trustedAuthorities }),
    emailPatterns,
  };
}

/** What follows the first `=` of each line, by what stands before it. */
function parametersOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [name = '', ...value] = line.split('=');
        return [name.trim(), value.join('=').trim()] as const;
      }),
  );
}

export function parametersText({ loginParameters = {} }: ProviderConfigObject): string {
  return Object.entries(loginParameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** What people are asked for at each login, in words. */
export function promptText({ prompt }: ProviderConfigObject): string {
  if (prompt === undefined) return 'as needed';
  return prompt === '' ? 'nothing' : prompt;
}

const OWN_PARTS: Readonly<Record<ProviderType, (draft: Draft) => Partial<ProviderConfigObject>>> = {
  GOOGLE: () => ({}),
  GITHUB: ({ baseUrl, apiUrl }) => ({ ...given({ baseUrl }), ...given({ apiUrl }) }),
  OIDC: (draft) => {
    const {
      issuerUrl,
      scopes,
      supportsPkce,
      requireVerifiedEmail,
      rpInitiatedLogout,
      discoveryUrl,
      emailClaim,
    } = draft;
    return {
      issuerUrl: issuerUrl.trim(),
      ...given({ discoveryUrl }),
      ...given({ emailClaim }),
      scopes: words(scopes),
      supportsPkce,
      requireVerifiedEmail,
      ...(rpInitiatedLogout ? { rpInitiatedLogout } : {}),
    };
  },
};

function given(part: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(part)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  );
}

function words(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function onOff(on: boolean | undefined): string {
  return on === undefined ? '' : on ? 'on' : 'off';
}

/** Configurations that are shown with a credential that was just typed, without it in them. */
const NEW_CREDENTIALS = new WeakMap<ProviderConfigObject, Draft['credential']>();
const GITHUB = 'https://github.com';

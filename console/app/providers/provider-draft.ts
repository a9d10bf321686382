// What the form of a provider holds, and the definition that it means. Its credential goes in and never comes
// out.

import {
  FIELD_NAMES,
  type FieldName,
  type GivenValues,
  PROVIDER_FIELDS,
  type ProviderValues,
} from '../../../src/domain/provider-fields.ts';
import type { OwnField } from '../../../src/domain/provider-kind.ts';
import { fieldsOf, kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import type {
  NewProvider,
  ProviderConfigChanges,
  ProviderConfigObject,
  ProviderCredentialObject,
  ProviderObject,
  ProviderType,
} from '../../../src/wire/provider.ts';
import type { Fields } from '../parts/conflict.ts';
import { formText, promptText, textOf, typedValue } from './field-text.ts';

/** Texts as they are typed, and switches. */
type DraftFields = {
  readonly [Field in FieldName]: NonNullable<ProviderValues[Field]> extends boolean ? boolean : string;
};

export type Draft = DraftFields & {
  readonly clientId: string;
  /** What the client proves itself with. */
  readonly credential: 'secret' | 'key';
  /** Empty keeps the credential that is there. */
  readonly clientSecret: string;
  /** PEM; of the types that take one. Empty keeps the credential that is there. */
  readonly clientPrivateKey: string;
  readonly clientKeyId: string;
  /** Without a prompt of its own: whether people are asked for consent when a refresh token needs it. */
  readonly asksConsent: boolean;
};

/** As a form begins: with what its type suggests, or with these settings. */
export function newDraft(type: ProviderType, settings: GivenValues = {}): Draft {
  const { fields } = kindOfDefinition(type);
  const entries = FIELD_NAMES.map((name) => {
    const { suggested, absent } = (fields[name] ?? {}) as Partial<OwnField>;
    const value = settings[name] ?? suggested ?? absent;
    if (PROVIDER_FIELDS[name].form === 'switch') return [name, value === true] as const;
    return [
      name,
      settings[name] === undefined && suggested === undefined ? '' : textOf(name, value),
    ] as const;
  });
  return { ...CLIENT, ...(Object.fromEntries(entries) as unknown as DraftFields) };
}

export function draftOf({ type, config }: ProviderObject): Draft {
  const kind = kindOfDefinition(type);
  const start = newDraft(type);
  const entries = fieldsOf(kind).map(([name]) => {
    const isSwitch = PROVIDER_FIELDS[name].form === 'switch';
    return [name, isSwitch ? (config[name] ?? start[name]) : formText(kind, name, config)] as const;
  });
  return {
    ...start,
    ...(Object.fromEntries(entries) as unknown as DraftFields),
    clientId: config.clientId,
    asksConsent: config.prompt !== '',
  };
}

export function newProvider(type: ProviderType, name: string, draft: Draft): NewProvider {
  return { type, name: name.trim(), config: { ...configOf(type, draft), ...credentialOf(type, draft) } };
}

/**
 * What to send: the parts that differ. Null when the form says what is there. A credential that was typed
 * always differs: nobody knows the one that is kept.
 */
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
export function providerFields({ config }: ProviderObject): Fields {
  const fresh = NEW_CREDENTIALS.get(config);
  const fields = FIELD_NAMES.map(
    (name) => [PROVIDER_FIELDS[name].label, textOf(name, config[name])] as const,
  );
  return {
    'Client ID': config.clientId,
    'Client secret': fresh === 'secret' ? 'a new one' : 'as it is',
    'Private key': fresh === 'key' ? 'a new one' : 'as it is',
    ...Object.fromEntries(fields),
    [PROVIDER_FIELDS.prompt.label]: promptText(config.prompt),
    [PROVIDER_FIELDS.emailPatterns.label]: textOf('emailPatterns', config.emailPatterns) || 'any',
  };
}

/** As typed, empty texts too, but for a key ID that nobody typed. */
function credentialOf(type: ProviderType, draft: Draft): ProviderCredentialObject {
  const { credential, clientSecret, clientPrivateKey, clientKeyId } = draft;
  if (!kindOfDefinition(type).takesPrivateKey || credential === 'secret') return { clientSecret };
  const keyId = clientKeyId.trim();
  return { clientPrivateKey: clientPrivateKey.trim(), ...(keyId === '' ? {} : { clientKeyId: keyId }) };
}

/** What the form asks of its type. */
function configOf(type: ProviderType, draft: Draft): ProviderConfigObject {
  const kind = kindOfDefinition(type);
  const asked = fieldsOf(kind).filter(([, own]) => own.asked !== undefined);
  const entries = asked.flatMap(([name, own]) => {
    const value = draftedValue(name, own, draft);
    return value === undefined ? [] : [[name, value] as const];
  });
  const config: GivenValues = Object.fromEntries(entries);
  const isNothingAsked = kind.asksConsent && !draft.asksConsent && config.prompt === undefined;
  return { clientId: draft.clientId.trim(), ...config, ...(isNothingAsked ? { prompt: '' } : {}) };
}

function draftedValue(name: FieldName, { required }: OwnField, draft: Draft): unknown {
  const typed = draft[name];
  if (typeof typed !== 'string') return typed || PROVIDER_FIELDS[name].quiet !== true ? typed : undefined;
  // Of a field that is needed an empty text is sent, for the service to refuse.
  return typedValue(name, typed) ?? (required === undefined ? undefined : '');
}

/** Configurations that are shown with a credential that was just typed, without it in them. */
const NEW_CREDENTIALS = new WeakMap<ProviderConfigObject, Draft['credential']>();
const CLIENT = {
  clientId: '',
  credential: 'secret',
  clientSecret: '',
  clientPrivateKey: '',
  clientKeyId: '',
  asksConsent: true,
} as const;

// The provider entries of the `oauth` section (contract 2.2): what each type needs, and what it takes for
// granted.

import type { ClientCredential } from '../domain/client-credential.ts';
import { isProviderName, isReservedProviderName } from '../domain/provider-name.ts';
import {
  type FieldForm,
  type FieldName,
  type GivenValues,
  PROVIDER_FIELDS,
} from '../domain/provider-fields.ts';
import {
  DISPLAY_NAME_WANTED,
  ICON_WANTED,
  isDisplayName,
  isIconName,
  MAX_ICON_BYTES,
} from '../domain/provider-icon.ts';
import type { OwnField, ProviderKind } from '../domain/provider-kind.ts';
import {
  fieldsOf,
  kindOf,
  PROVIDER_TYPES,
  type ProviderType,
  settledValues,
} from '../domain/provider-kinds.ts';
import {
  isAcrValue,
  isClaimName,
  isPrompt,
  isScope,
  MAX_ACR_VALUES,
  MAX_CLAIMS,
} from '../domain/provider-rules.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import { TEXT_SYNTAXES } from '../domain/text-syntax.ts';
import { loginParameterFault, MAX_LOGIN_PARAMETERS } from '../domain/login-parameters.ts';
import { Secret } from '../domain/secret.ts';
import { CLIENT_KEY_WANTED, clientKeyFault, isClientKeyId } from '../x509/client-key.ts';
import { authoritiesFault } from '../x509/trusted-authorities.ts';
import { discoveryUrlText, providerUrlText } from './address-text.ts';
import { nearestWord, quoteValue } from './config-fault.ts';
import { keysOf } from './describe.ts';
import { OWN_PROVIDER_FIELDS, PROVIDER_ENTRY_FIELDS } from './describe-provider.ts';
import { readImage } from './read-image.ts';
import {
  allRead,
  complete,
  fault,
  joinPath,
  listAt,
  openSection,
  readBoolean,
  readList,
  readOptional,
  readSecret,
  readText,
  Refusal,
  type ReadContext,
  resolvePath,
  type Section,
} from './section.ts';
import type { Tree } from './yaml-tree.ts';

/** At least one provider, with names that are unique. */
export function readProviders(oauth: Section): readonly ProviderSettings[] | undefined {
  const items = listAt(oauth, 'providers');
  if (items === undefined) return undefined;
  if (items.length === 0)
    return fault(oauth, 'providers', { found: 'an empty list', wanted: 'one or more providers' });
  const seen = new Set<string>();
  return allRead(items.map((tree, index) => readProvider(oauth, { tree, key: `providers[${index}]`, seen })));
}

function readProvider(
  oauth: Section,
  { tree, key, seen }: { tree: Tree; key: string; seen: Set<string> },
): ProviderSettings | undefined {
  const path = joinPath(oauth.path, key);
  // The type says which keys there are; until it is known, all of them are.
  const type = tree instanceof Map ? providerType(tree.get('type')) : undefined;
  const own =
    type === undefined ? Object.assign({}, ...Object.values(OWN_PROVIDER_FIELDS)) : OWN_PROVIDER_FIELDS[type];
  const known = keysOf({ ...PROVIDER_ENTRY_FIELDS, ...own });
  const section = openSection(oauth.context, { path, tree, known });
  if (section === undefined) return undefined;
  const common = {
    name: readText(section, 'name', (text) => nameText(text, seen)),
    type: readText(section, 'type', typeText),
    clientId: readText(section, 'client_id', (text) => text),
    credential: readCredential(section),
  };
  const values = type === undefined ? undefined : readValues(section, kindOf(type));
  const read = complete(common);
  if (read === undefined || values === undefined) return undefined;
  const { credential, ...named } = read;
  return { ...named, ...credential, ...values };
}

/** The fields that the type has, and what it takes for granted. */
function readValues(section: Section, kind: ProviderKind): Values | undefined {
  const read = fieldsOf(kind).map(([name, own]) => [name, readField(section, kind, { name, own })] as const);
  if (read.some(([, value]) => value === undefined)) return undefined;
  const given: GivenValues = Object.fromEntries(read.filter(([, value]) => value !== null));
  const { issuerUrl: issuer, emailPatterns: _ofDefinitions, ...values } = settledValues(kind, given);
  return { ...values, issuer };
}

type Values = Omit<ProviderSettings, 'name' | 'type' | 'clientId' | keyof ClientCredential>;

/** Null where it is not given, undefined after a fault. */
function readField(
  section: Section,
  kind: ProviderKind,
  { name, own }: { readonly name: FieldName; readonly own: OwnField },
): unknown {
  const { file, form } = PROVIDER_FIELDS[name];
  if (file === null || (own.required === undefined && !section.entries.has(file))) return null;
  return READERS[form](section, file, kind);
}

type FieldReader = (section: Section, key: string, kind: ProviderKind) => unknown;

/** Of a key that is given, or needed. Each answers undefined after it noted a fault. */
const READERS: Readonly<Record<FieldForm, FieldReader>> = {
  address: (section, key) => readText(section, key, providerUrlText),
  'document address': (section, key) => readText(section, key, discoveryUrlText),
  'base address': (section, key) => readText(section, key, serverUrlText),
  scopes: readScopes,
  switch: (section, key) => readBoolean(section, key, undefined),
  prompt: readPrompt,
  claim: (section, key) => readText(section, key, claimText),
  claims: (section, key) => readDistinct(section, key, { parse: claimText, most: MAX_CLAIMS }),
  'acr values': (section, key) => readDistinct(section, key, { parse: acrText, most: MAX_ACR_VALUES }),
  duration: (section, key) => readText(section, key, durationText),
  'display name': (section, key) => readText(section, key, displayNameText),
  icon: (section, key) => readText(section, key, (text) => readIcon(section.context, text)),
  authorities: (section, key) => readText(section, key, (text) => readAuthorities(section.context, text)),
  parameters: readLoginParameters,
  // Of definitions alone.
  patterns: () => undefined,
};

/** A secret, or a private key in its place, where the type takes one. */
function readCredential(section: Section): ClientCredential | undefined {
  const [file, id] = ['client_private_key_file', 'client_key_id'];
  const given = ['client_secret', 'client_secret_file'].find((key) => section.entries.has(key));
  if (!section.entries.has(file)) {
    if (section.entries.has(id))
      return fault(section, id, { found: `no ${file}`, wanted: `${id} only together with ${file}` });
    const clientSecret = readSecret(section, 'client_secret', 1);
    return clientSecret === undefined ? undefined : { clientSecret };
  }
  if (given !== undefined)
    return fault(section, file, { found: `${given} as well`, wanted: `either client_secret or ${file}` });
  const clientKey = complete({
    pem: readText(section, file, (name) => readClientKey(section.context, name)),
    keyId: readOptional(section, id, { parse: keyIdText, absent: null }),
  });
  return clientKey === undefined ? undefined : { clientSecret: null, clientKey };
}

/** The content, so that what is used is what was checked. */
function readPem(
  context: ReadContext,
  name: string,
  { wanted, faultOf }: { readonly wanted: string; readonly faultOf: (pem: string) => string | null },
): string | Refusal {
  if (name === '') return new Refusal(wanted);
  try {
    const pem = Buffer.from(context.readFile(resolvePath(context, name))).toString('latin1');
    const found = faultOf(pem);
    return found === null ? pem : new Refusal(wanted, `the file ${quoteValue(name)} with ${found}`);
  } catch {
    return new Refusal(wanted, `the file ${quoteValue(name)}, which cannot be read`);
  }
}

function readClientKey(context: ReadContext, name: string): Secret | Refusal {
  const pem = readPem(context, name, { wanted: `a file with ${CLIENT_KEY_WANTED}`, faultOf: clientKeyFault });
  return pem instanceof Refusal ? pem : new Secret(pem);
}

function keyIdText(text: string): string | Refusal {
  return isClientKeyId(text) ? text : new Refusal('a key id of 1 to 200 printable ASCII characters');
}

function nameText(text: string, seen: Set<string>): string | Refusal {
  if (!isProviderName(text)) return new Refusal('1 to 40 of a-z, 0-9 and -');
  if (isReservedProviderName(text)) return new Refusal('a name that is not reserved');
  if (seen.has(text)) return new Refusal('a name that no other provider has');
  seen.add(text);
  return text;
}

function typeText(text: string): ProviderType | Refusal {
  const nearest = nearestWord(text, PROVIDER_TYPES);
  const wanted = `one of ${PROVIDER_TYPES.join(', ')}${nearest === null ? '' : `; the nearest is "${nearest}"`}`;
  return providerType(text) ?? new Refusal(wanted);
}

function providerType(value: Tree | undefined): ProviderType | undefined {
  return PROVIDER_TYPES.find((type) => type === value);
}

/** Scopes, each once, the needed ones among them: without those there is no email address to go by. */
function readScopes(
  section: Section,
  key: string,
  { neededScopes }: ProviderKind,
): readonly string[] | undefined {
  const scopes = readList(section, key, { parse: scopeText, absent: undefined });
  if (scopes === undefined) return undefined;
  const missing = neededScopes.filter((scope) => !scopes.includes(scope));
  const found = scopes.length === 0 ? 'an empty list' : scopes.map(quoteValue).join(', ');
  if (missing.length > 0)
    return fault(section, key, { found, wanted: `${missing.join(', ')} among the scopes` });
  if (new Set(scopes).size < scopes.length) return fault(section, key, { found, wanted: 'each scope once' });
  return scopes;
}

function scopeText(text: string): string | Refusal {
  return isScope(text) ? text : new Refusal('one scope, without spaces');
}

/** An empty one is a value of its own: nothing is asked for. */
function readPrompt(section: Section, key: string): string | undefined {
  return section.entries.get(key) === '' ? '' : readText(section, key, promptText);
}

function promptText(text: string): string | Refusal {
  if (text !== '' && isPrompt(text)) return text;
  return new Refusal(
    'login, consent, select_account or several of them, separated by spaces; or "" for none',
  );
}

function claimText(text: string): string | Refusal {
  return isClaimName(text) ? text : new Refusal('the name of a claim, such as upn');
}

type Distinct = { readonly parse: (text: string) => string | Refusal; readonly most: number };

function readDistinct(
  section: Section,
  key: string,
  { parse, most }: Distinct,
): readonly string[] | undefined {
  const list = readList(section, key, { parse, absent: undefined });
  if (list === undefined) return undefined;
  if (list.length <= most && new Set(list).size === list.length) return list;
  return fault(section, key, { found: `a list of ${list.length}`, wanted: `at most ${most}, each once` });
}

function acrText(text: string): string | Refusal {
  return isAcrValue(text) ? text : new Refusal('a class of authentication (acr), without spaces');
}

/** As it is written. */
function durationText(text: string): string | Refusal {
  const { judge, wanted } = TEXT_SYNTAXES.duration;
  try {
    return judge(text);
  } catch {
    return new Refusal(wanted);
  }
}

function displayNameText(text: string): string | Refusal {
  return isDisplayName(text) ? text : new Refusal(DISPLAY_NAME_WANTED);
}

/** A name of one, or a file. */
function readIcon(context: ReadContext, text: string): string | Refusal {
  if (isIconName(text)) return text;
  if (!text.includes('.')) return new Refusal(ICON_WANTED);
  return readImage(context, text, MAX_ICON_BYTES);
}

function readAuthorities(context: ReadContext, name: string): string | Refusal {
  return readPem(context, name, { wanted: 'a file of CA certificates (PEM)', faultOf: authoritiesFault });
}

function readLoginParameters(section: Section, key: string): Readonly<Record<string, string>> | undefined {
  const tree = section.entries.get(key);
  const refused = (found: string, wanted: string) => fault(section, key, { found, wanted });
  if (!(tree instanceof Map)) return refused('no mapping', 'a mapping of parameters to texts');
  const parameters: readonly (readonly [string, Tree])[] = [...tree];
  if (parameters.length > MAX_LOGIN_PARAMETERS)
    return refused(`${parameters.length} parameters`, `at most ${MAX_LOGIN_PARAMETERS}`);
  for (const [name, value] of parameters) {
    if (typeof value !== 'string')
      return refused(`${quoteValue(name)} without a text`, 'a text for each (in quotes)');
    const wrong = loginParameterFault(name, value);
    if (wrong !== null) return refused(quoteValue(name), wrong);
  }
  return Object.fromEntries(parameters as readonly (readonly [string, string])[]);
}

function serverUrlText(text: string): string | Refusal {
  const url = providerUrlText(text);
  return url instanceof Refusal ? url : url.replace(/\/+$/, '');
}

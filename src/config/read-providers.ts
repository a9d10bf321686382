// The provider entries of the `oauth` section (contract 2.2): what each type needs, and what it takes for granted.

import type { ClientCredential } from '../domain/client-credential.ts';
import { isProviderName, isReservedProviderName } from '../domain/provider-name.ts';
import { PROVIDER_TYPES, type ProviderType } from '../domain/provider-ref.ts';
import {
  defaultApiUrl,
  GITHUB_URL,
  GOOGLE_ISSUER,
  isClaimName,
  isPrompt,
  isScope,
  PROVIDER_SCOPES,
} from '../domain/provider-rules.ts';
import { loginParameterFault, MAX_LOGIN_PARAMETERS } from '../domain/login-parameters.ts';
import { Secret } from '../domain/secret.ts';
import { CLIENT_KEY_WANTED, clientKeyFault, isClientKeyId } from '../x509/client-key.ts';
import { authoritiesFault } from '../x509/trusted-authorities.ts';
import { discoveryUrlText, providerUrlText } from './address-text.ts';
import { nearestWord, quoteValue } from './config-fault.ts';
import type { ProviderConfig } from './config.ts';
import { keysOf, OWN_PROVIDER_FIELDS, PROVIDER_FIELDS } from './describe.ts';
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
export function readProviders(oauth: Section): readonly ProviderConfig[] | undefined {
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
): ProviderConfig | undefined {
  const path = joinPath(oauth.path, key);
  // The type says which keys there are; until it is known, all of them are.
  const type = tree instanceof Map ? providerType(tree.get('type')) : undefined;
  const own =
    type === undefined ? Object.assign({}, ...Object.values(OWN_PROVIDER_FIELDS)) : OWN_PROVIDER_FIELDS[type];
  const known = keysOf({ ...PROVIDER_FIELDS, ...own });
  const section = openSection(oauth.context, { path, tree, known });
  if (section === undefined) return undefined;
  const common = {
    name: readText(section, 'name', (text) => nameText(text, seen)),
    type: readText(section, 'type', typeText),
    clientId: readText(section, 'client_id', (text) => text),
    credential: readCredential(section),
  };
  const rest = type === undefined ? undefined : READERS[type](section);
  const read = complete(common);
  const further = complete({
    trustedAuthorities: readOptional(section, 'ca_file', {
      parse: (text) => readAuthorities(section.context, text),
      absent: null,
    }),
    loginParameters: readLoginParameters(section),
  });
  if (read === undefined || rest === undefined || further === undefined) return undefined;
  const { credential, ...named } = read;
  return { ...named, ...credential, ...rest, ...further };
}

/** A secret, or a private key in its place, which the keys of `oidc` alone know. */
function readCredential(section: Section): ClientCredential | undefined {
  const [file, id] = ['client_private_key_file', 'client_key_id'];
  const given = ['client_secret', 'client_secret_file'].find((key) => section.entries.has(key));
  if (!section.entries.has(file)) {
    if (section.entries.has(id))
      return fault(section, id, { found: `no ${file}`, wanted: `${id} beside ${file} only` });
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
function readClientKey(context: ReadContext, name: string): Secret | Refusal {
  const wanted = `a file with ${CLIENT_KEY_WANTED}`;
  if (name === '') return new Refusal(wanted);
  try {
    const pem = Buffer.from(context.readFile(resolvePath(context, name))).toString('latin1');
    const found = clientKeyFault(pem);
    return found === null
      ? new Secret(pem)
      : new Refusal(wanted, `the file ${quoteValue(name)} with ${found}`);
  } catch {
    return new Refusal(wanted, `the file ${quoteValue(name)}, which cannot be read`);
  }
}

function keyIdText(text: string): string | Refusal {
  return isClientKeyId(text) ? text : new Refusal('a key id of 1 to 200 printable ASCII characters');
}

type OwnParts = Omit<
  ProviderConfig,
  'name' | 'type' | 'clientId' | keyof ClientCredential | 'trustedAuthorities' | 'loginParameters'
>;

const READERS: Readonly<Record<ProviderType, (section: Section) => OwnParts | undefined>> = {
  google: (section) =>
    complete({
      ...NO_API,
      scopes: readScopes(section, 'google'),
      issuer: readOptional(section, 'issuer', {
        parse: providerUrlText,
        absent: GOOGLE_ISSUER,
      }),
      supportsPkce: true,
      prompt: readPrompt(section),
      requireVerifiedEmail: true,
    }),
  github: (section) => {
    const baseUrl = readOptional(section, 'base_url', { parse: serverUrlText, absent: GITHUB_URL });
    return complete({
      scopes: readScopes(section, 'github'),
      issuer: null,
      supportsPkce: true,
      prompt: readPrompt(section),
      requireVerifiedEmail: true,
      baseUrl,
      apiUrl: readOptional(section, 'api_url', {
        parse: serverUrlText,
        absent: defaultApiUrl(baseUrl ?? GITHUB_URL),
      }),
    });
  },
  oidc: (section) =>
    complete({
      ...NO_API,
      scopes: readScopes(section, 'oidc'),
      issuer: readText(section, 'issuer', providerUrlText),
      supportsPkce: readBoolean(section, 'supports_pkce', undefined),
      prompt: readPrompt(section),
      requireVerifiedEmail: readBoolean(section, 'require_verified_email', false),
      rpInitiatedLogout: readBoolean(section, 'rp_initiated_logout', false),
      discoveryUrl: readOptional(section, 'discovery_url', { parse: discoveryUrlText, absent: null }),
      emailClaim: readOptional(section, 'email_claim', { parse: claimText, absent: null }),
    }),
};

function nameText(text: string, seen: Set<string>): string | Refusal {
  if (!isProviderName(text)) return new Refusal('1 to 40 of a-z, 0-9 and -');
  if (isReservedProviderName(text)) return new Refusal('a name that the service does not use for itself');
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
function readScopes(section: Section, type: ProviderType): readonly string[] | undefined {
  const { needed, absent } = PROVIDER_SCOPES[type];
  const scopes = readList(section, 'scopes', { parse: scopeText, absent: absent ?? undefined });
  if (scopes === undefined) return undefined;
  const missing = needed.filter((scope) => !scopes.includes(scope));
  const found = scopes.length === 0 ? 'an empty list' : scopes.map(quoteValue).join(', ');
  if (missing.length > 0)
    return fault(section, 'scopes', { found, wanted: `${missing.join(', ')} among the scopes` });
  if (new Set(scopes).size < scopes.length)
    return fault(section, 'scopes', { found, wanted: 'each scope once' });
  return scopes;
}

function scopeText(text: string): string | Refusal {
  return isScope(text) ? text : new Refusal('one scope, without spaces');
}

/** An empty one is a value of its own: nothing is asked for. */
function readPrompt(section: Section): string | null | undefined {
  if (section.entries.get('prompt') === '') return '';
  return readOptional(section, 'prompt', { parse: promptText, absent: null });
}

function promptText(text: string): string | Refusal {
  if (text !== '' && isPrompt(text)) return text;
  return new Refusal(
    'login, consent, select_account or several of them, with spaces between; or "" for nothing',
  );
}

function claimText(text: string): string | Refusal {
  return isClaimName(text) ? text : new Refusal('the name of a claim, such as upn');
}

/** The content, so that what is used is what was checked. */
function readAuthorities(context: ReadContext, name: string): string | Refusal {
  const wanted = 'a file of CA certificates (PEM)';
  if (name === '') return new Refusal(wanted);
  try {
    const text = Buffer.from(context.readFile(resolvePath(context, name))).toString('latin1');
    const found = authoritiesFault(text);
    return found === null ? text : new Refusal(wanted, `the file ${quoteValue(name)} with ${found}`);
  } catch {
    return new Refusal(wanted, `the file ${quoteValue(name)}, which cannot be read`);
  }
}

function readLoginParameters(section: Section): Readonly<Record<string, string>> | undefined {
  const key = 'login_parameters';
  const tree = section.entries.get(key);
  if (tree === undefined) return {};
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

const NO_API = { baseUrl: null, apiUrl: null } as const;

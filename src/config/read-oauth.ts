// The `oauth` section (contract 2.1). Every field of the contract is required and none has a default;
// `logout_redirect_hosts` and `previous_keys` may be absent.

import { getPublicSuffix } from 'tldts';
import { isHostGlob, isWithinDomain } from '../domain/host-name.ts';
import { readHost } from '../domain/ip-address.ts';
import { baseUrlText } from './address-text.ts';
import type { KeyPair, OAuthConfig } from './config.ts';
import { KEY_PAIR_FIELDS, keysOf } from './describe.ts';
import { readListener } from './read-listener.ts';
import { readProviders } from './read-providers.ts';
import {
  allRead,
  complete,
  durationText,
  fault,
  joinPath,
  listAt,
  openSection,
  readList,
  readSecret,
  readText,
  Refusal,
  type Section,
} from './section.ts';

export function readOAuth(section: Section, hasCertificates: boolean): OAuthConfig | undefined {
  const listener = readListener(section, hasCertificates);
  const used = new Set<string>();
  const parts = complete({
    endpointUrl: readText(section, 'endpoint_url', baseUrlText(section.context)),
    cookieName: readText(section, 'cookie_name', cookieNameText),
    cookieDomain: readText(section, 'cookie_domain', cookieDomainText),
    sessionLifetimeMs: readText(section, 'session_lifetime', durationText),
    intermediateLifetimeMs: readText(section, 'intermediate_lifetime', durationText),
    keys: readKeys(section, used),
    previousKeys: readPreviousKeys(section, used),
    providers: readProviders(section),
    logoutRedirectHosts: readList(section, 'logout_redirect_hosts', { parse: hostGlobText, absent: null }),
  });
  return listener === undefined || parts === undefined ? undefined : { ...listener, ...parts };
}

/** Contract 8: lengths. Contract 2.1: unique, so no key stands twice among all keys of the file. */
function readKeys(section: Section, used: Set<string>): KeyPair | undefined {
  const signingKey = readSecret(section, 'signing_key', MIN_SIGNING_KEY_LENGTH);
  const encryptionKey = readSecret(section, 'encryption_key', MIN_ENCRYPTION_KEY_LENGTH);
  for (const [key, secret] of [
    ['signing_key', signingKey] as const,
    ['encryption_key', encryptionKey] as const,
  ]) {
    if (secret === undefined) continue;
    const text = secret.reveal();
    if (used.has(text))
      fault(section, key, { found: 'the same text as another key', wanted: 'a different key' });
    used.add(text);
  }
  return complete({ signingKey, encryptionKey });
}

function readPreviousKeys(oauth: Section, used: Set<string>): readonly KeyPair[] | undefined {
  if (!oauth.entries.has('previous_keys')) return [];
  const items = listAt(oauth, 'previous_keys');
  const pairs = items?.map((tree, index) => {
    const path = joinPath(oauth.path, `previous_keys[${index}]`);
    const section = openSection(oauth.context, { path, tree, known: keysOf(KEY_PAIR_FIELDS) });
    return section === undefined ? undefined : readKeys(section, used);
  });
  return pairs === undefined ? undefined : allRead(pairs);
}

/** RFC 6265 section 4.1.1 `token`. The session cookie has a Domain, which `__Host-` forbids. */
function cookieNameText(text: string): string | Refusal {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,64}$/.test(text))
    return new Refusal("1 to 64 letters, digits and characters of !#$%&'*+-.^_`|~");
  const lower = text.toLowerCase();
  if (RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix)))
    return new Refusal('a name that does not start with __ or like another cookie of the service');
  return text;
}

/** A leading dot means nothing (RFC 6265 section 5.2.3). On a public suffix browsers refuse cookies. */
function cookieDomainText(text: string): string | Refusal {
  const reading = readHost(text.replace(/^\./, ''));
  if (reading.kind !== 'name') return new Refusal('a domain such as example.com');
  const { name } = reading;
  if (isWithinDomain(name, 'localhost')) return name;
  if (getPublicSuffix(name, { allowPrivateDomains: true, validateHostname: false }) !== name) return name;
  return new Refusal('a domain that you own, not a public suffix');
}

function hostGlobText(text: string): string | Refusal {
  return isHostGlob(text) ? text.toLowerCase() : new Refusal('a host name, with * for labels: *.example.com');
}

/** `__Host-`, `__Secure-` and those to come have rules of their own; the others are in DESIGN 3. */
const RESERVED_PREFIXES = ['__', 'svc-auth-bind', 'svc-auth-browser', 'svc-auth-attempt', 'svc-auth-consent'];
/** Contract 8. */
const MIN_SIGNING_KEY_LENGTH = 32;
const MIN_ENCRYPTION_KEY_LENGTH = 24;

// Examines an OpenID provider: what its metadata say, its keys, and whether it takes a login request and our
// credentials.

import { type Check, fails, passes, warns } from '../domain/check.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import { ServiceError } from '../domain/service-error.ts';
import { documentLimits, withinBytes } from './answer-limits.ts';
import type { OutboundFetch } from './dialler.ts';
import {
  CLIENT_KEY,
  CLIENT_SECRET,
  examineLoginRequest,
  examineTokenEndpoint,
  type TokenEndpoint,
} from './examine-client.ts';
import type { Examiner, ExaminerDeps } from './examiner.ts';
import { judgeKeySet } from './examine-keys.ts';
import { metadataChecks } from './examine-metadata.ts';
import { clockCheck } from './examine-clock.ts';
import { look, type Look } from './look.ts';
import { judgeMetadata, metadataAddress } from './openid-metadata.ts';

export const examineOpenId: Examiner = async (settings, deps) => {
  const { issuer: named, discoveryUrl = null } = settings;
  const issuer = named ?? '';
  const address = metadataAddress({ issuer, discoveryUrl });
  const limits = documentLimits(settings.accountId ?? null);
  const startedAt = deps.now();
  const documents = withinBytes(deps.fetch, limits.bytes);
  const found = await look(documents, address, { method: 'GET' });
  const metadata = documentOf(found);
  if (metadata === null)
    return [
      fails('discovery', whyNoMetadata(found), found.kind === 'none' ? UNREACHED_HINT : DISCOVERY_HINT),
    ];
  const seen = metadataChecks(settings, metadata);
  const checks = [passes('discovery', `${address} responds`), ...seen, ...unusable(issuer, metadata, seen)];
  const clock = clockCheck(headersOf(found), startedAt, deps.now());
  const live = await Promise.all([
    examineKeys(metadata, { fetch: documents, maxKeys: limits.keys }),
    examineLoginRequest(deps),
    examineTokenEndpoint(tokenEndpointOf(metadata, settings), deps),
    examineUserInfo(metadata, deps),
  ]);
  return [...checks, ...live, clock];
};

function documentOf(found: Look): Readonly<Record<string, unknown>> | null {
  return found.kind === 'answer' && found.status === 200 ? found.document : null;
}

function headersOf(found: Look): Headers {
  return found.kind === 'answer' ? found.headers : new Headers();
}

function whyNoMetadata(found: Look): string {
  if (found.kind === 'none') return `the metadata cannot be read: ${found.reason}`;
  if (found.status !== 200) return `the metadata cannot be read: the status is ${found.status}`;
  return 'the metadata are not a JSON object';
}

/** What the logins refuse is told here, whatever the checks above overlooked. */
function unusable(issuer: string, metadata: unknown, seen: readonly Check[]): readonly Check[] {
  if (seen.some(({ state }) => state === 'fail')) return [];
  try {
    judgeMetadata(issuer, metadata);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [fails('metadata', error.message, error.hint ?? DISCOVERY_HINT)];
  }
}

/** The issuer comes with the code where the metadata say so (RFC 9207), and a login insists on it. */
function tokenEndpointOf(
  metadata: Readonly<Record<string, unknown>>,
  { clientKey = null }: ProviderSettings,
): TokenEndpoint {
  const { token_endpoint: address, issuer, token_endpoint_auth_methods_supported: ways } = metadata;
  const credential = clientKey === null ? CLIENT_SECRET : CLIENT_KEY;
  const isTaken = !Array.isArray(ways) || credential.ways.some((way) => ways.includes(way));
  return { address, credential, isTaken, issuer: typeof issuer === 'string' ? issuer : null };
}

async function examineKeys(
  metadata: Readonly<Record<string, unknown>>,
  { fetch, maxKeys }: { readonly fetch: OutboundFetch; readonly maxKeys: number },
): Promise<Check> {
  const address = metadata['jwks_uri'];
  if (typeof address !== 'string')
    return fails('keys', 'the metadata do not name a jwks_uri', 'Ask the operator of the provider.');
  const found = await look(fetch, address, { method: 'GET' });
  if (found.kind === 'none') return fails('keys', `the key set cannot be read: ${found.reason}`, KEYS_HINT);
  if (found.status !== 200 || found.document === null)
    return fails('keys', `the key set cannot be read: the status is ${found.status}`, KEYS_HINT);
  const { keys } = found.document;
  if (Array.isArray(keys) && keys.length > maxKeys)
    return fails('keys', `the key set contains ${keys.length} keys, more than ${maxKeys}`, KEYS_HINT);
  return judgeKeySet(found.document, metadata['id_token_signing_alg_values_supported']);
}

/** Asked without a token, it must refuse (RFC 6750 section 3.1). */
async function examineUserInfo(
  metadata: Readonly<Record<string, unknown>>,
  { fetch }: ExaminerDeps,
): Promise<Check> {
  const address = metadata['userinfo_endpoint'];
  if (typeof address !== 'string')
    return warns(
      'userinfo',
      'the provider has none: email addresses come from the ID token',
      'Have the provider add the claims email and email_verified to the ID token.',
    );
  const found = await look(fetch, address, { method: 'GET' });
  if (found.kind === 'none')
    return fails(
      'userinfo',
      `it cannot be reached: ${found.reason}`,
      'Logins need it: it returns the identity of the person.',
    );
  if (REFUSALS.has(found.status)) return passes('userinfo', 'it responds, and requires a token');
  return warns(
    'userinfo',
    `without a token it returns ${found.status}`,
    'It should return 401. If logins fail, check the provider.',
  );
}

const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403]);
const DISCOVERY_HINT =
  'Enter the issuer exactly as the provider names it. Its metadata are at /.well-known/openid-configuration below the issuer.';
const UNREACHED_HINT =
  'Check the issuer, and whether this machine can reach it: DNS, firewalls, and outbound_allow of the operator.';
const KEYS_HINT = 'Without its keys, no ID token can be verified. Check jwks_uri in the metadata.';

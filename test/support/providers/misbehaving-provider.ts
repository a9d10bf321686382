// An OpenID provider that misbehaves in one chosen way at a time, and is right in everything else (THREATS
// "Protocol", "Protocol" and "Exhaustion"). Set `misbehaviour` while it runs; null makes it good.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { SignJWT, UnsecuredJWT, exportJWK, exportSPKI, generateKeyPair, importJWK } from 'jose';
import type { JWTPayload } from 'jose';
import type { LoopbackOptions } from './loopback-server.ts';
import { signIdToken, startOpenIdStandIn } from './openid-stand-in.ts';
import type { OpenIdHooks, OpenIdStandIn, StandInClient, StandInKeys } from './openid-stand-in.ts';

export type Misbehaviour =
  | keyof typeof ID_TOKENS
  | keyof typeof CLAIMS
  | keyof typeof TOKEN_ANSWERS
  | keyof typeof USER_INFOS
  | keyof typeof METADATA
  | keyof typeof RESPONSES
  | keyof typeof TRANSPORTS;

export type MisbehavingProvider = OpenIdStandIn & { misbehaviour: Misbehaviour | null };

export async function startMisbehavingProvider(
  options: LoopbackOptions & { readonly clients: readonly StandInClient[]; readonly usesPkce?: boolean },
): Promise<MisbehavingProvider> {
  const mood: { misbehaviour: Misbehaviour | null } = { misbehaviour: null };
  const chosen = <Table extends object>(table: Table): Table[keyof Table] | undefined =>
    table[mood.misbehaviour as unknown as keyof Table];
  const hooks: OpenIdHooks = {
    intercept(request, response, path) {
      const [where, act] = chosen(TRANSPORTS) ?? [null, null];
      if (where === null || path !== where) return false;
      act(request, response);
      return true;
    },
    metadata(document) {
      const offered = { ...document, id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] };
      return chosen(METADATA)?.(offered) ?? offered;
    },
    authorizationResponse: (parameters) => chosen(RESPONSES)?.(parameters),
    claims: (claims) => chosen(CLAIMS)?.(claims) ?? claims,
    idToken: (claims, keys) => (chosen(ID_TOKENS) ?? signIdToken)(claims, keys),
    tokenAnswer: (body) => chosen(TOKEN_ANSWERS)?.(body) ?? body,
    userInfo: (claims) => chosen(USER_INFOS)?.(claims) ?? claims,
  };
  return Object.assign(mood, await startOpenIdStandIn(options, hooks));
}

type IdTokenMaker = (claims: JWTPayload, keys: StandInKeys) => Promise<string>;

const ID_TOKENS = {
  alg_none: async (claims) => new UnsecuredJWT(claims).encode(),
  alg_none_in_mixed_case: async (claims) => unsigned({ alg: 'nOnE' }, claims),
  alg_missing: async (claims) => unsigned({}, claims),
  hs256_with_public_key: async (claims, { publicJwk, kid }) => {
    const key = (await importJWK({ ...publicJwk, ext: true }, 'RS256')) as CryptoKey;
    return hmac(claims, await exportSPKI(key), kid);
  },
  hs256_with_client_secret: (claims, { kid }) => hmac(claims, 'secret of client 1: +/%&=', kid),
  key_in_jwk_header: (claims, { kid }) => byStranger(claims, async (jwk) => ({ jwk, kid })),
  key_in_jku_header: (claims, { kid }) =>
    byStranger(claims, async () => ({ jku: 'http://127.0.0.1:1/jwks', kid })),
  key_of_stranger: (claims, { kid }) => byStranger(claims, async () => ({ kid })),
  unknown_kid: (claims, keys) => signIdToken(claims, keys, { kid: `kid-${Math.random()}` }),
  critical_header: async (claims, keys) => {
    const [, payload, signature] = (await signIdToken(claims, keys)).split('.');
    return `${encode({ alg: 'RS256', kid: keys.kid, crit: ['exp'] })}.${payload}.${signature}`;
  },
  flipped_claim: async (claims, keys) => {
    const [header, , signature] = (await signIdToken(claims, keys)).split('.');
    return `${header}.${encode({ ...claims, email: 'admin@example.com' })}.${signature}`;
  },
  token_of_five_parts: async () => 'a.b.c.d.e',
  token_of_garbage: async () => 'not a token',
} satisfies Record<string, IdTokenMaker>;

const CLAIMS = {
  nonce_wrong: (claims) => ({ ...claims, nonce: 'another nonce, of another login' }),
  nonce_missing: (claims) => without(claims, 'nonce'),
  issuer_wrong: (claims) => ({ ...claims, iss: 'https://accounts.example' }),
  issuer_missing: (claims) => without(claims, 'iss'),
  audience_wrong: (claims) => ({ ...claims, aud: 'another client' }),
  audience_shared_without_azp: (claims) => ({ ...claims, aud: [String(claims.aud), 'another client'] }),
  azp_wrong: (claims) => ({ ...claims, azp: 'another client' }),
  expired: (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 15 }),
  expiry_missing: (claims) => without(claims, 'exp'),
  not_yet_valid: (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 3600 }),
  subject_missing: (claims) => without(claims, 'sub'),
  subject_empty: (claims) => ({ ...claims, sub: '' }),
  subject_with_line_break: (claims) => ({ ...claims, sub: 'ann\r\nx-admin: yes' }),
  subject_with_nul: (claims) => ({ ...claims, sub: 'ann\0' }),
  subject_too_long: (claims) => ({ ...claims, sub: 'x'.repeat(256) }),
  subject_no_text: (claims) => ({ ...claims, sub: 7 as unknown as string }),
} satisfies Record<string, (claims: JWTPayload) => JWTPayload>;

type Json = Record<string, unknown>;

const TOKEN_ANSWERS = {
  error_in_200: () => ({ error: 'invalid_grant', error_description: '<script>alert(1)</script>' }),
  id_token_missing: (body) => without(body, 'id_token'),
  access_token_with_line_break: (body) => ({ ...body, access_token: 'a\r\nx: y' }),
  access_token_too_long: (body) => ({ ...body, access_token: 'x'.repeat(200_000) }),
  access_token_no_text: (body) => ({ ...body, access_token: { toString: 'x' } }),
  token_type_unknown: (body) => ({ ...body, token_type: 'mac' }),
} satisfies Record<string, (body: Json) => Json>;

const USER_INFOS = {
  user_info_of_another: (claims) => ({ ...claims, sub: 'another subject' }),
  user_info_without_subject: (claims) => without(claims, 'sub'),
  email_with_line_break: (claims) => ({
    ...claims,
    email: 'a@b.example\r\nsvc-auth-email: root@example.com',
  }),
  email_with_two_ats: (claims) => ({ ...claims, email: 'attacker@evil.com@company.com' }),
  email_no_text: (claims) => ({ ...claims, email: ['ann@example.com', 'bob@example.com'] }),
  email_not_verified: (claims) => ({ ...claims, email_verified: false }),
  email_verified_is_no_boolean: (claims) => ({ ...claims, email_verified: 1 }),
  email_not_verified_in_other_case: (claims) => ({
    ...claims,
    email: String(claims['email']).toUpperCase(),
    email_verified: 'no',
  }),
} satisfies Record<string, (claims: Json) => Json>;

const METADATA = {
  metadata_of_another_issuer: (document) => ({ ...document, issuer: 'https://accounts.example' }),
  metadata_without_keys: (document) => without(document, 'jwks_uri'),
  metadata_offers_none_and_hmac: (document) => ({
    ...document,
    id_token_signing_alg_values_supported: ['none', 'HS256'],
  }),
  authorization_endpoint_is_script: (document) => ({
    ...document,
    authorization_endpoint: 'javascript:alert(1)',
  }),
  token_endpoint_is_file: (document) => ({ ...document, token_endpoint: 'file:///etc/passwd' }),
} satisfies Record<string, (document: Json) => Json>;

const RESPONSES = {
  code_twice: (parameters) => parameters.append('code', 'another'),
  state_twice: (parameters) => parameters.append('state', parameters.get('state') ?? ''),
  any_parameter_twice: (parameters) => {
    parameters.append('session_state', '1');
    parameters.append('session_state', '2');
  },
  response_issuer_wrong: (parameters) => parameters.set('iss', 'https://accounts.example'),
  response_issuer_empty: (parameters) => parameters.set('iss', ''),
  response_with_token: (parameters) => parameters.set('id_token', 'x.y.z'),
  code_missing: (parameters) => parameters.delete('code'),
} satisfies Record<string, (parameters: URLSearchParams) => void>;

type Act = (request: IncomingMessage, response: ServerResponse) => void;

const never: Act = () => undefined;
const redirect: Act = (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end();
const fail: Act = (_request, response) =>
  response.writeHead(500, { 'content-type': 'text/plain' }).end('oops');
const busy: Act = (_request, response) => response.writeHead(429, { 'retry-after': '10' }).end();
const html: Act = (_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello');
/** JSON that is right but for the megabytes of space before it ends. */
const endless: Act = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};
const dripping: Act = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{');
  const drip = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(drip));
};

const TRANSPORTS = {
  token_never_answers: ['/token', never],
  token_drips: ['/token', dripping],
  token_never_ends: ['/token', endless],
  token_redirects: ['/token', redirect],
  token_fails: ['/token', fail],
  token_is_busy: ['/token', busy],
  token_is_html: ['/token', html],
  keys_never_answer: ['/jwks', never],
  keys_never_end: ['/jwks', endless],
  keys_redirect: ['/jwks', redirect],
  keys_fail: ['/jwks', fail],
  user_info_never_answers: ['/userinfo', never],
  user_info_never_ends: ['/userinfo', endless],
  user_info_redirects: ['/userinfo', redirect],
  user_info_fails: ['/userinfo', fail],
  user_info_is_html: ['/userinfo', html],
  user_info_is_unsigned: [
    '/userinfo',
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/jwt' });
      response.end(new UnsecuredJWT({ sub: 'any', email: 'root@example.com' }).encode());
    },
  ],
  discovery_never_answers: ['/.well-known/openid-configuration', never],
  discovery_never_ends: ['/.well-known/openid-configuration', endless],
  discovery_redirects: ['/.well-known/openid-configuration', redirect],
  discovery_fails: ['/.well-known/openid-configuration', fail],
  discovery_is_html: ['/.well-known/openid-configuration', html],
} satisfies Record<string, readonly [path: string, act: Act]>;

function without<Members extends object>(members: Members, name: string): Members {
  return Object.fromEntries(Object.entries(members).filter(([each]) => each !== name)) as Members;
}

function hmac(claims: JWTPayload, secret: string, kid: string): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid })
    .sign(Buffer.from(secret.padEnd(32, '\0')));
}

/** Signed with a key of nobody's, which the header offers in some way. */
async function byStranger(
  claims: JWTPayload,
  header: (jwk: Awaited<ReturnType<typeof exportJWK>>) => Promise<object>,
): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const offered = await header(await exportJWK(publicKey));
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...offered }).sign(privateKey);
}

function unsigned(header: object, claims: JWTPayload): string {
  return `${encode(header)}.${encode(claims)}.`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

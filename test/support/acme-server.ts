// A strict ACME server (RFC 8555, RFC 9773) on loopback: every request must be signed, by a nonce that is
// used once, for the address it is sent to. It looks at challenges for real. What it is to do otherwise,
// tests say.

import { createHash, createHmac, createPublicKey, randomBytes, verify, type webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { createAcmeIssuer } from './acme-issuer.ts';
import { renewalId } from '../../src/acme/renewal.ts';

type JsonWebKey = webcrypto.JsonWebKey;
type Kind = 'http-01' | 'tls-alpn-01' | 'dns-01';
type Account = { jwk: JsonWebKey; readonly url: string };
type Order = {
  readonly account: Account;
  readonly name: string;
  readonly replaces: string | null;
  status: string;
  error: unknown;
  chain: string | null;
  readonly token: string;
  authorization: string;
  failed: { kind: string; error: unknown } | null;
};
type Refusal = {
  readonly status: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export async function startAcmeServer(now: () => number = Date.now) {
  const issuer = createAcmeIssuer();
  const nonces = new Set<string>();
  const accounts: Account[] = [];
  const orders: Order[] = [];
  const replaced = new Set<string>();
  const certificates = new Set<string>();
  const asked: string[] = [];
  const txt = new Map<string, Set<string>>();
  const state = {
    /** Where it looks for challenges. */
    httpPort: 0,
    tlsPort: 0,
    lifeMs: 90 * 86_400_000,
    /** So many of the next nonces are refused. */
    badNonces: 0,
    /** What the next requests are refused with, where it says so. */
    refuse: (_path: string): Refusal | null => null,
    /** Renewal information; null answers 404. */
    suggest: null as { readonly start: number; readonly end: number } | null,
    /** Keys by their identifiers, each good for one account; null registers anybody. */
    externalKeys: null as Map<string, Buffer> | null,
    kinds: ['http-01', 'tls-alpn-01', 'dns-01'] as readonly Kind[],
    /** Called before a validation is decided. */
    validating: async (_kind: Kind, _host: string): Promise<void> => undefined,
  };
  let base = '';
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problem(response, { status: 500, type: 'serverInternal' }, String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '' } = request;
    asked.push(`${method} ${path}`);
    const nonce = randomBytes(12).toString('base64url');
    nonces.add(nonce);
    response.setHeader('replay-nonce', nonce);
    const refusal = state.refuse(path);
    if (refusal !== null) return problem(response, refusal);
    if (path === '/directory' && method === 'GET') return json(response, 200, directory());
    if (path === '/nonce' && method === 'HEAD') return void response.writeHead(200).end();
    if (path.startsWith('/renewal/') && method === 'GET') return renewal(response, path.slice(9));
    if (method !== 'POST' || request.headers['content-type'] !== 'application/jose+json')
      return problem(response, { status: 405, type: 'malformed' }, method);
    const body = JSON.parse(await text(request)) as Jws;
    const header = decode(body.protected) as Header;
    if (state.badNonces > 0 && state.badNonces-- > 0) {
      nonces.delete(String(header.nonce));
      return problem(response, { status: 400, type: 'badNonce' });
    }
    if (!nonces.delete(String(header.nonce))) return problem(response, { status: 400, type: 'badNonce' });
    if (
      header.alg !== 'ES256' ||
      header.url !== `${base}${path}` ||
      (header.jwk === undefined) === (header.kid === undefined)
    )
      return problem(response, { status: 400, type: 'malformed' }, 'header');
    const account = accounts.find(
      ({ url, jwk }) =>
        url === header.kid || (header.jwk !== undefined && thumbprint(jwk) === thumbprint(header.jwk)),
    );
    const jwk = header.jwk ?? account?.jwk;
    if (jwk === undefined) return problem(response, { status: 400, type: 'accountDoesNotExist' });
    if (!isSigned(body, jwk)) return problem(response, { status: 403, type: 'unauthorized' }, 'signature');
    const payload = body.payload === '' ? null : (decode(body.payload) as Record<string, unknown>);
    if (path === '/account') return newAccount(response, { payload, jwk, account });
    if (account === undefined || header.kid === undefined)
      return problem(response, { status: 400, type: 'malformed' }, 'kid');
    if (path === '/key-change') return keyChange(response, account, payload as unknown as Jws);
    if (path === '/order') return newOrder(response, account, payload);
    const [, what, index = ''] =
      /^\/(order|authorization|challenge|finalize|certificate)\/(\d+)/.exec(path) ?? [];
    const order = orders[Number(index)];
    if (order === undefined || order.account !== account)
      return problem(response, { status: 403, type: 'unauthorized' }, 'order');
    if ((what === 'challenge' || what === 'finalize') === (payload === null))
      return problem(response, { status: 400, type: 'malformed' }, 'payload');
    if (what === 'order') return json(response, 200, orderBody(order));
    if (what === 'authorization') return json(response, 200, authorizationBody(order));
    if (what === 'challenge') return challenge(response, order, path.split('/')[3] as Kind);
    if (what === 'finalize') return finalize(response, order, payload);
    if (order.chain === null) return problem(response, { status: 404, type: 'malformed' });
    response.writeHead(200, { 'content-type': 'application/pem-certificate-chain' }).end(order.chain);
  }

  function directory() {
    return {
      newNonce: `${base}/nonce`,
      newAccount: `${base}/account`,
      newOrder: `${base}/order`,
      keyChange: `${base}/key-change`,
      renewalInfo: `${base}/renewal`,
      meta: {
        termsOfService: `${base}/terms`,
        ...(state.externalKeys === null ? {} : { externalAccountRequired: true }),
      },
    };
  }

  function newAccount(
    response: ServerResponse,
    {
      payload,
      jwk,
      account,
    }: { payload: Record<string, unknown> | null; jwk: JsonWebKey; account: Account | undefined },
  ): void {
    const binding = payload?.['externalAccountBinding'] as Jws | undefined;
    // Also of an account that is there: some servers look at it first.
    if (state.externalKeys !== null && binding !== undefined && !isBound(state.externalKeys, binding, jwk))
      return problem(response, { status: 403, type: 'unauthorized' }, 'external account binding');
    if (account !== undefined) {
      response.setHeader('location', account.url);
      return json(response, 200, { status: 'valid' });
    }
    if (payload?.['onlyReturnExisting'] === true)
      return problem(response, { status: 400, type: 'accountDoesNotExist' });
    if (payload?.['termsOfServiceAgreed'] !== true)
      return problem(response, { status: 403, type: 'userActionRequired' });
    if (state.externalKeys !== null && binding === undefined)
      return problem(response, { status: 403, type: 'externalAccountRequired' });
    const url = `${base}/accounts/${accounts.length}`;
    accounts.push({ jwk, url });
    response.setHeader('location', url);
    json(response, 201, { status: 'valid' });
  }

  /** RFC 8555 section 7.3.4. Uses the key up. */
  function isBound(keys: Map<string, Buffer>, binding: Jws, jwk: JsonWebKey): boolean {
    const { alg, kid = '', url, nonce } = decode(binding.protected) as Header;
    const key = keys.get(kid);
    if (key === undefined || alg !== 'HS256' || url !== `${base}/account` || nonce !== undefined)
      return false;
    const mac = createHmac('sha256', key)
      .update(`${binding.protected}.${binding.payload}`)
      .digest('base64url');
    if (mac !== binding.signature || thumbprint(decode(binding.payload) as JsonWebKey) !== thumbprint(jwk))
      return false;
    return keys.delete(kid);
  }

  /** RFC 8555 section 7.3.5. */
  function keyChange(response: ServerResponse, account: Account, inner: Jws): void {
    const header = decode(inner.protected) as Header;
    const payload = decode(inner.payload) as { account?: string; oldKey?: JsonWebKey };
    const fits =
      header.jwk !== undefined &&
      header.url === `${base}/key-change` &&
      header.nonce === undefined &&
      isSigned(inner, header.jwk) &&
      payload.account === account.url &&
      payload.oldKey !== undefined &&
      thumbprint(payload.oldKey) === thumbprint(account.jwk);
    if (!fits) return problem(response, { status: 400, type: 'malformed' }, 'key change');
    account.jwk = header.jwk as JsonWebKey;
    json(response, 200, { status: 'valid' });
  }

  function newOrder(
    response: ServerResponse,
    account: Account,
    payload: Record<string, unknown> | null,
  ): void {
    const [identifier] = (payload?.['identifiers'] ?? []) as { type: string; value: string }[];
    const replaces = (payload?.['replaces'] ?? null) as string | null;
    if (identifier?.type !== 'dns' || !/^(?:\*\.)?[a-z0-9.-]+$/.test(identifier.value))
      return problem(response, { status: 400, type: 'rejectedIdentifier' });
    if (replaces !== null && !certificates.has(replaces))
      return problem(response, { status: 404, type: 'malformed' }, 'replaces');
    if (replaces !== null && replaced.has(replaces))
      return problem(response, { status: 409, type: 'alreadyReplaced' });
    if (replaces !== null) replaced.add(replaces);
    const token = randomBytes(16).toString('base64url');
    const fresh = { status: 'pending', error: null, chain: null, authorization: 'pending', failed: null };
    orders.push({ account, name: identifier.value, replaces, token, ...fresh });
    response.setHeader('location', `${base}/order/${orders.length - 1}`);
    json(response, 201, orderBody(orders.at(-1)!));
  }

  function orderBody(order: Order) {
    const index = orders.indexOf(order);
    return {
      status: order.status,
      identifiers: [{ type: 'dns', value: order.name }],
      authorizations: [`${base}/authorization/${index}`],
      finalize: `${base}/finalize/${index}`,
      ...(order.error === null ? {} : { error: order.error }),
      ...(order.chain === null ? {} : { certificate: `${base}/certificate/${index}` }),
    };
  }

  function authorizationBody(order: Order) {
    const index = orders.indexOf(order);
    const kinds = order.name.startsWith('*.') ? state.kinds.filter((kind) => kind === 'dns-01') : state.kinds;
    return {
      status: order.authorization,
      identifier: { type: 'dns', value: hostOf(order) },
      challenges: kinds.map((type) => {
        const failed = order.failed?.kind === type ? order.failed : null;
        const status = failed !== null ? 'invalid' : order.authorization === 'valid' ? 'valid' : 'pending';
        const url = `${base}/challenge/${index}/${type}`;
        return { type, url, token: order.token, status, error: failed?.error };
      }),
    };
  }

  async function challenge(response: ServerResponse, order: Order, kind: Kind): Promise<void> {
    if (order.authorization === 'pending') void validate(order, kind);
    json(response, 200, { type: kind, token: order.token, status: 'processing' });
  }

  async function validate(order: Order, kind: Kind): Promise<void> {
    const expected = `${order.token}.${thumbprint(order.account.jwk)}`;
    try {
      await state.validating(kind, hostOf(order));
      await LOOKS[kind]({ host: hostOf(order), token: order.token, expected, state, txt });
      order.authorization = 'valid';
      order.status = 'ready';
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      order.failed = { kind, error: { type: 'urn:ietf:params:acme:error:unauthorized', detail } };
      order.authorization = 'invalid';
      order.status = 'invalid';
      order.error = order.failed.error;
    }
  }

  function finalize(response: ServerResponse, order: Order, payload: Record<string, unknown> | null): void {
    if (order.status !== 'ready') return problem(response, { status: 403, type: 'orderNotReady' });
    try {
      const csr = Buffer.from(String(payload?.['csr']), 'base64url');
      const notBefore = Math.floor(now() / 1000) * 1000;
      order.chain = issuer.issue(csr, order.name, { notBefore, notAfter: notBefore + state.lifeMs });
    } catch (error) {
      return problem(response, { status: 400, type: 'badCSR' }, String(error));
    }
    certificates.add(renewalId(order.chain)!);
    order.status = 'valid';
    json(response, 200, orderBody(order));
  }

  function renewal(response: ServerResponse, id: string): void {
    const { suggest } = state;
    if (suggest === null || !certificates.has(id))
      return problem(response, { status: 404, type: 'malformed' });
    response.setHeader('retry-after', '3600');
    const [start, end] = [suggest.start, suggest.end].map((at) => new Date(at).toISOString());
    json(response, 200, { suggestedWindow: { start, end } });
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    directory: `${base}/directory`,
    ca: issuer.ca,
    state,
    txt,
    orders,
    accounts,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Look = {
  readonly host: string;
  readonly token: string;
  readonly expected: string;
  readonly state: { readonly httpPort: number; readonly tlsPort: number };
  readonly txt: ReadonlyMap<string, ReadonlySet<string>>;
};

const LOOKS: Readonly<Record<Kind, (look: Look) => Promise<void>>> = {
  'http-01': async ({ host, token, expected, state: { httpPort } }) => {
    const path = `/.well-known/acme-challenge/${token}`;
    const request = httpRequest({ host: '127.0.0.1', port: httpPort, path, headers: { host }, agent: false });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const found = (await buffer(response)).toString();
    if (response.statusCode !== 200 || found !== expected)
      throw new Error(`${response.statusCode} ${found.slice(0, 80)}`);
  },
  'tls-alpn-01': async ({ host, expected, state: { tlsPort } }) => {
    const socket = connect({
      host: '127.0.0.1',
      port: tlsPort,
      servername: host,
      ALPNProtocols: ['acme-tls/1'],
      rejectUnauthorized: false,
    });
    await once(socket, 'secureConnect');
    const certificate = socket.getPeerX509Certificate();
    const digest = createHash('sha256').update(expected).digest();
    const protocol = socket.alpnProtocol;
    socket.destroy();
    if (protocol !== 'acme-tls/1' || certificate?.subjectAltName !== `DNS:${host}`)
      throw new Error(`${protocol} ${certificate?.subjectAltName}`);
    // id-pe-acmeIdentifier, critical, an OCTET STRING in an OCTET STRING (RFC 8737 section 3).
    const wanted = Buffer.concat([Buffer.from('06082b0601050507011f0101ff04220420', 'hex'), digest]);
    if (!certificate.raw.includes(wanted)) throw new Error('the extension is not there');
  },
  'dns-01': async ({ host, expected, txt }) => {
    const found = txt.get(`_acme-challenge.${host}`);
    const wanted = createHash('sha256').update(expected).digest('base64url');
    if (found?.has(wanted) !== true) throw new Error(`no TXT record, but ${[...(found ?? [])].join()}`);
  },
};

type Jws = { readonly protected: string; readonly payload: string; readonly signature: string };
type Header = { alg?: string; nonce?: string; url?: string; kid?: string; jwk?: JsonWebKey };

function isSigned({ protected: head, payload, signature }: Jws, jwk: JsonWebKey): boolean {
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const bytes = Buffer.from(`${head}.${payload}`);
  return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
}

function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

function hostOf({ name }: Pick<Order, 'name'>): string {
  return name.replace(/^\*\./, '');
}

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function problem(response: ServerResponse, { status, type, headers = {} }: Refusal, detail = ''): void {
  response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
  response.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail }));
}

// A gate that ends TLS, with shares of two accounts that ask for client certificates and one that does not,
// and requests to it with whatever certificate, server name and host a test wants.

import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { NO_TRUST, type TrustNews } from '../../src/domain/certificate-trust.ts';
import { newId } from '../../src/domain/id.ts';
import type { Share } from '../../src/domain/share.ts';
import { echo, startBackend, type TestBackend } from './backend.ts';
import { makeCertificate } from './certificate.ts';
import { createClientAuthority, type ClientAuthority, type ClientPair } from './client-authority.ts';
import { startTestGate, testShare, type TestGate, type TestGateOptions } from './gate.ts';

export type MutualTlsGate = {
  readonly gate: TestGate;
  readonly backend: TestBackend;
  /**
   * Asks for certificates of `authority`; its hosts are `strict.…`, and `second.…` for another share of the
   * account.
   */
  readonly strict: Share;
  readonly second: Share;
  readonly open: Share;
  /** Another account's, at `other.…`. */
  readonly other: Share;
  readonly authority: ClientAuthority;
  readonly otherAuthority: ClientAuthority;
  /** Tells the gate of revocations and authorities as the change feed would. */
  readonly tell: (news: Partial<TrustNews>) => void;
};

export const TLS_SETTINGS = {
  tls: true,
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;

export const GATE_CERTIFICATE = makeCertificate(['*.share.localhost']);

export type MutualTlsOptions = TestGateOptions & {
  readonly listener?: RequestListener;
  readonly more?: Partial<Share>;
};

export async function startMutualTlsGate(
  t: TestContext,
  { listener = echo, more, ...options }: MutualTlsOptions = {},
): Promise<MutualTlsGate> {
  const backend = await startBackend(t, listener);
  const accountId = newId('acc');
  const otherAccountId = newId('acc');
  const authority = createClientAuthority(accountId);
  // Of the same name, so that nothing here goes by names.
  const otherAuthority = createClientAuthority(otherAccountId);
  const asks = { clientCertificate: { subject: null, unit: null } } as const;
  const strict = testShare('strict', backend.url, { accountId, ...asks, ...more });
  const second = testShare('second', backend.url, { accountId, ...asks });
  const other = testShare('other', backend.url, { accountId: otherAccountId, ...asks });
  const open = testShare('open', backend.url, { accountId });
  const gate = await startTestGate({
    shares: [strict, second, other, open],
    settings: TLS_SETTINGS,
    certificates: [GATE_CERTIFICATE],
    trust: { ...NO_TRUST, authorities: [authority.trusted, otherAuthority.trusted] },
    ...options,
  });
  t.after(gate.close);
  const tell = (news: Partial<TrustNews>) =>
    gate.tell({ type: 'trust', news: { ...NO_TRUST, reset: false, ...news } });
  return { gate, backend, strict, second, open, other, authority, otherAuthority, tell };
}

/** What the change feed tells when a certificate of this authority was revoked. */
export function revocationOf({ trusted }: ClientAuthority, { serial }: ClientPair): Partial<TrustNews> {
  return { revoked: [{ authorityId: trusted.id, serial, notAfter: Date.now() + 86_400_000 }] };
}

export type TlsCall = {
  readonly host: string;
  /** The host unless said; null for none. */
  readonly servername?: string | null;
  readonly pair?: Pick<ClientPair, 'certificate' | 'key'>;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: Partial<RequestOptions>;
};

export type TlsAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The member `code` of a problem document; null for anything else. */
  readonly code: string | null;
  readonly reused: boolean;
};

/** One HTTP/1.1 request; on a connection of its own unless `tls` has an agent. */
export async function callTls(port: number, call: TlsCall): Promise<TlsAnswer> {
  const servername = call.servername === undefined ? call.host : (call.servername ?? '');
  const request = httpsRequest({
    host: '127.0.0.1',
    port,
    agent: false,
    servername,
    rejectUnauthorized: false,
    method: call.method ?? 'GET',
    path: call.path ?? '/',
    headers: { host: call.host, accept: 'application/json', ...call.headers },
    ...(call.pair === undefined ? {} : { cert: call.pair.certificate, key: call.pair.key }),
    ...call.tls,
  });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const reused = (response.socket as TLSSocket).isSessionReused();
  const body = await text(response);
  const isProblem = response.headers['content-type']?.startsWith('application/problem+json') === true;
  const code = isProblem ? String((JSON.parse(body) as { code?: unknown }).code) : null;
  return { status: response.statusCode ?? 0, headers: response.headers, body, code, reused };
}

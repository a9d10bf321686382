// The whole service over TLS, whose control API asks for client certificates both where it listens itself and
// where the gateway passes it inside; two accounts, their certificates, and calls with whatever certificate a
// test wants.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { createAccount } from '../../src/cli/accounts/create.ts';
import { requestFor } from '../../src/cli/certificates/key-files.ts';
import { hashApiKey } from '../../src/domain/api-key.ts';
import { newCertificateRequestToken } from '../../src/domain/certificate-request-token.ts';
import { newId } from '../../src/domain/id.ts';
import { Secret, secretHash } from '../../src/domain/secret.ts';
import type { CertificateRequestToken } from '../../src/store/certificates/certificate.ts';
import { readMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { startTestService, type TestService } from './service.ts';

export const CONTROL_HOST = 'control.share.localhost';

/** Both ways to the control API. */
export const WAYS = ['gateway', 'control'] as const;
export type Way = (typeof WAYS)[number];

export type Pair = { readonly certificate: string; readonly key: string };

export type IssuedPair = Pair & { readonly serial: string };

export type ControlCall = {
  readonly way?: Way;
  readonly path: string;
  readonly method?: string;
  readonly json?: object;
  readonly pair?: Pair | null;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly tls?: Partial<RequestOptions>;
};

export type ControlAnswer = {
  readonly status: number;
  readonly document: Readonly<Record<string, unknown>>;
  readonly code: unknown;
  readonly reused: boolean;
  /** To be resumed; null when none came. */
  readonly session: Buffer | null;
};

export type CertificateRig = {
  readonly service: TestService;
  /** Beside the service, as another gateway has it. */
  readonly store: Store;
  /** API keys of the accounts' first admins. */
  readonly keys: { readonly alice: string; readonly mallory: string };
  readonly call: (call: ControlCall) => Promise<ControlAnswer>;
  /** Makes a token as the holder of an API key does, of the role `admin` unless said, and redeems it. */
  readonly issue: (apiKey: string, input?: Partial<CertificateRequestToken>) => Promise<IssuedPair>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** `more`: other sections of the configuration. */
export async function startCertificateRig(
  mode: 'optional' | 'required',
  more: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Promise<CertificateRig> {
  const service = await startTestService({
    tls: true,
    sections: ({ gateway }) => ({
      control: {
        public_url: `https://${CONTROL_HOST}:${gateway}`,
        tls: undefined,
        client_certificates: mode,
      },
      ...more,
    }),
  });
  const { engine, masterKeyFile } = service.config.store;
  const masterKey = await readMasterKey(masterKeyFile);
  const store = await openStore({ engine, masterKey, now: Date.now, exclusive: false });
  const mallory = await createAccount(store, {
    name: 'mallory',
    adminEmail: 'mallory@evil.test',
    now: Date.now(),
  });
  // It knows of both accounts' authorities from its start.
  await service.restart();
  const call = (input: ControlCall) => send(service, input);
  return {
    service,
    store,
    keys: { alice: service.apiKey, mallory: mallory.apiKey.reveal() },
    call,
    issue: (apiKey, input = {}) => issue({ store, call }, apiKey, input),
    async [Symbol.asyncDispose]() {
      await store.close();
      await service.close();
    },
  };
}

/** As an admin makes a token; where certificates are required, that takes one. */
async function issue(
  { store, call }: Pick<CertificateRig, 'store' | 'call'>,
  apiKey: string,
  input: Partial<CertificateRequestToken>,
): Promise<IssuedPair> {
  const maker = await store.apiKeys.findByHash(hashApiKey(new Secret(apiKey)));
  assert.ok(maker);
  const token = newCertificateRequestToken();
  const { usedAt: _used, certificateId: _certificate, ...over } = input;
  await store.certificateRequestTokens.create(
    {
      id: newId('crq'),
      accountId: maker.accountId,
      name: 'robot',
      subject: { commonName: 'robot', organization: null, organizationalUnit: null, emailAddress: null },
      validityMs: 86_400_000,
      apiRole: 'admin',
      renewableMs: null,
      createdAt: Date.now(),
      createdBy: `api-key:${maker.id}`,
      expiresAt: Date.now() + 3_600_000,
      ...over,
    },
    secretHash(token),
  );
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const csr = await requestFor(privateKey);
  const json = { token: token.reveal(), csr };
  const { document } = await call({ path: '/v1/client-certificates/redeem', json, pair: null });
  assert.equal(typeof document['serial'], 'string', JSON.stringify(document));
  return { key, certificate: String(document['certificate']), serial: String(document['serial']) };
}

async function send({ ports }: TestService, call: ControlCall): Promise<ControlAnswer> {
  const body = call.json === undefined ? null : JSON.stringify(call.json);
  const request = httpsRequest({
    host: '127.0.0.1',
    port: call.way === 'control' ? ports.control : ports.gateway,
    agent: false,
    servername: CONTROL_HOST,
    rejectUnauthorized: false,
    method: call.method ?? (body === null ? 'GET' : 'POST'),
    path: call.path,
    headers: {
      host: `${CONTROL_HOST}:${ports.gateway}`,
      ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': body.length }),
      ...(call.apiKey === undefined ? {} : { authorization: `Bearer ${call.apiKey}` }),
      ...call.headers,
    },
    ...(call.pair ? { cert: call.pair.certificate, key: call.pair.key } : {}),
    ...call.tls,
  });
  let session: Buffer | null = null;
  request.on('socket', (socket) => socket.on('session', (ticket: Buffer) => (session = ticket)));
  request.end(body ?? undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const reused = (response.socket as TLSSocket).isSessionReused();
  const content = await text(response);
  const isJson = /json/.test(response.headers['content-type'] ?? '');
  const document = isJson ? (JSON.parse(content) as Readonly<Record<string, unknown>>) : {};
  return { status: response.statusCode ?? 0, document, code: document['code'], reused, session };
}

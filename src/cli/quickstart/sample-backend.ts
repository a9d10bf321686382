// The quick start's sample application: it shows who the gateway says you are, and every header it got. It
// has no login code, and checks the signed identity as any backend should (contract 2.6, 5.2).

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { type Answer, sendAnswer } from '../../http/answer.ts';
import type { Brand } from '../../http/page-html.ts';
import { renderPage } from '../../http/page.ts';
import { wantsPage } from '../../http/wants-page.ts';

const { createServer, get } = process.getBuiltinModule('node:http');

export type SampleBackendOptions = {
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  readonly shareUrl: string;
  /** The OAuth frontend's `endpoint_url`, reached at this machine's loopback. */
  readonly loginUrl: string;
};

export type SampleBackend = { readonly port: number; readonly close: () => Promise<void> };

/** Throws Node's listen errors as they are. */
export async function startSampleBackend(options: SampleBackendOptions): Promise<SampleBackend> {
  const server = createServer((request, response) => {
    answerOf(request, options).then(
      (answer) => sendAnswer(request, response, answer),
      () => response.destroy(),
    );
  });
  server.listen(options.port, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Cannot listen: no TCP address');
  return {
    port: address.port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerOf(request: IncomingMessage, options: SampleBackendOptions): Promise<Answer> {
  request.resume();
  const assertion = await judgeAssertion(request, options);
  const { method = 'GET', url = '/' } = request;
  const headers = Object.entries(request.headersDistinct).map(
    ([name, values = []]): readonly [string, string] => [name, values.join(', ')],
  );
  const asked = { method, headers: (name: string) => request.headersDistinct[name]?.join(', ') };
  if (wantsPage(asked)) return page({ method, url, headers, assertion });
  const document = { method, url, headers: Object.fromEntries(headers), assertion };
  return {
    status: 200,
    headers: [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
    ],
    body: `${JSON.stringify(document, null, 2)}\n`,
  };
}

type Judgement =
  | { readonly verified: true; readonly claims: JWTPayload }
  | { readonly verified: false; readonly reason: string };

/** The key set is read each time: it is on this machine, and a sample needs no cache. */
async function judgeAssertion(request: IncomingMessage, options: SampleBackendOptions): Promise<Judgement> {
  const assertion = request.headers['svc-auth-assertion'];
  if (typeof assertion !== 'string') return { verified: false, reason: 'there is none' };
  try {
    const keys = createLocalJWKSet(JSON.parse(await readKeySet(new URL(options.loginUrl))));
    const checks = { audience: options.shareUrl, algorithms: ['ES256'], requiredClaims: ['exp'] };
    const { payload } = await jwtVerify(assertion, keys, checks);
    return { verified: true, claims: payload };
  } catch (error) {
    return { verified: false, reason: error instanceof Error ? error.message : 'it cannot be checked' };
  }
}

/** Over loopback with the frontend's name as Host, since Node asks the DNS for names under localhost. */
async function readKeySet(loginUrl: URL): Promise<string> {
  const request = get({
    host: LOOPBACK,
    port: loginUrl.port === '' ? 80 : Number(loginUrl.port),
    path: '/.well-known/jwks.json',
    headers: { host: loginUrl.host },
    signal: AbortSignal.timeout(KEY_SET_WITHIN_MS),
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return text;
}

function page(seen: {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly assertion: Judgement;
}): Answer {
  const email = seen.headers.find(([name]) => name === 'svc-auth-email')?.[1];
  const identity = seen.headers.filter(([name]) => name.startsWith('svc-auth-'));
  const others = seen.headers.filter(([name]) => !name.startsWith('svc-auth-'));
  const { assertion } = seen;
  const judged = assertion.verified ? 'verified with the public keys' : `not verified: ${assertion.reason}`;
  return renderPage(
    {
      status: 200,
      tone: 'info',
      title: email === undefined ? 'Hello, whoever you are' : `Hello ${email}`,
      paragraphs: [
        'This is a sample app. It has no login code: the gateway asked who you are, and passed it on in the headers below. The signed assertion proves that they come from the gateway.',
      ],
      details: [
        { label: 'You requested', value: `${seen.method} ${seen.url}` },
        { label: 'Assertion', value: judged },
        ...[...identity, ...others].map(([label, value]) => ({ label, value: shortened(value) })),
      ],
      actions: [
        { label: 'Log out', href: '/.svc/logout', primary: true },
        { label: 'Session as JSON', href: '/.svc/session', primary: false },
      ],
      requestId: null,
    },
    BRAND,
  );
}

function shortened(value: string): string {
  return value.length <= MAX_SHOWN_LENGTH ? value : `${value.slice(0, MAX_SHOWN_LENGTH)}…`;
}

const BRAND: Brand = { name: 'Sample app', logo: null, contact: null };
const LOOPBACK = '127.0.0.1';
const KEY_SET_WITHIN_MS = 3_000;
// The assertion is some 600 characters; nobody reads them.
const MAX_SHOWN_LENGTH = 120;

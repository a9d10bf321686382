// What an answer to a proxy's question costs: nginx with the configuration of examples/forward-auth/ asks
// about each request, and whoever answers is measured: nginx that says 200 to everything, Doorward, and
// oauth2-proxy where it is found. The visitor is logged in at each.

import { createBrowser, walkLogin } from '../../test/support/browser-by-hand.ts';
import { startAskingProxy } from '../../test/support/asking-proxy.ts';
import { startBehind } from '../../test/support/behind-rig.ts';
import { PROXY_SECRET } from '../../test/support/forward-auth.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startBareProcess } from '../processes.ts';
import { startAnsweringNginx } from '../proxies/answering-nginx.ts';
import { requestText } from '../proxies/doorward.ts';
import { found } from '../proxies/found.ts';
import { startOAuth2Proxy } from '../proxies/oauth2-proxy.ts';
import type { Size } from '../size.ts';
import { interleave, measure, type Measure } from '../subject.ts';
import { measureGateWork } from './gate-work.ts';

export type ForwardAuthMeasures = {
  /** Of those who answer, by name; CPU is theirs, all else is what the visitor sees through nginx. */
  readonly answerers: Readonly<Record<string, readonly Measure[]>>;
  /** CPU µs of one question in the gate alone. */
  readonly gateUs: readonly number[];
  /** As it names itself; null when it was not found. */
  readonly peer: string | null;
};

export const NOTHING_ASKED = 'nginx `return 200`';
export const BARE = 'Node’s HTTP server, 200 to everything';
export const OURS = '**Doorward**, logged in';
export const PEER = 'oauth2-proxy, logged in';

export async function measureForwardAuth(size: Size, backendPort: number): Promise<ForwardAuthMeasures> {
  const gateUs = await measureGateWork(size);
  const undo: (() => unknown)[] = [];
  try {
    const nginx = found('nginx');
    if (nginx === null) throw new Error('Cannot measure: nginx is not on PATH\nhint: apt-get install nginx');
    const rig = await startBehind('nginx', { share: { oauthProvider: 'corp' } });
    undo.push(rig.close);
    const cookie = await logIn(rig.url, rig.ca);
    const nothing = await startAnsweringNginx(nginx);
    undo.push(nothing.close);
    const bare = await startBareProcess();
    undo.push(bare.close);
    const peer = await startOAuth2Proxy(backendPort, 1);
    if (peer !== null) undo.push(peer.close);
    const answerers = [
      { title: NOTHING_ASKED, pid: nothing.pid, port: nothing.port, cookie, path: '' },
      { title: BARE, pid: bare.pid, port: bare.port, cookie, path: '' },
      { title: OURS, pid: rig.service.pid, port: rig.service.port, cookie, path: '' },
      ...(peer === null
        ? []
        : [{ title: PEER, ...peer, cookie: peer.cookies[0] ?? '', path: '/oauth2/auth' }]),
    ];
    const takes: Record<string, (count: number) => Promise<Measure>> = {};
    for (const answerer of answerers) {
      const port = await freePort();
      const pair = { certificate: '', key: '' };
      const change = (text: string) => plainFront(text, answerer.path);
      const front = { port, gateway: answerer.port, app: backendPort, secret: PROXY_SECRET, pair, change };
      undo.push(await startAskingProxy('nginx', front));
      takes[answerer.title] = (count) =>
        measure(answerer, {
          kind: 'http1',
          port,
          requests: [requestText(HOST, '/', { cookie: answerer.cookie, more: PAGE_LOAD })],
          connections: CONNECTIONS,
          count,
          limitMs: size.limitMs,
        });
    }
    const all = (count: number) =>
      Object.fromEntries(Object.entries(takes).map(([title, take]) => [title, () => take(count)]));
    await interleave(1, all(size.warmUp));
    const answered = await interleave(size.rounds, all(size.count));
    return { answerers: answered, gateUs, peer: peer?.version ?? null };
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

async function logIn(url: string, ca: string): Promise<string> {
  const browser = createBrowser({ ca });
  const { last } = await walkLogin(browser, `${url}/`, { email: 'visitor@example.com' });
  const cookie = browser.jar.header(new URL(url));
  if (last.status !== 200 || cookie === null) throw new Error(`Cannot log in: ${last.status} at ${last.url}`);
  return cookie;
}

/** The load generator speaks plain HTTP; the endpoint is told of https all the same. */
function plainFront(text: string, path: string): string {
  return text
    .replaceAll(/^ *ssl_certificate.*\n/gm, '')
    .replaceAll(/(listen [^;]*) ssl;/g, '$1;')
    .replaceAll('X-Forwarded-Proto $scheme', 'X-Forwarded-Proto https')
    .replace('keepalive 32;', 'keepalive 64; keepalive_requests 100000000;')
    .replace(QUESTION, `$&${path}`);
}

const HOST = 'app.share.localhost';
/** As for the requests of the first table. */
const CONNECTIONS = 32;
const PAGE_LOAD = 'Sec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n';
/** Where nginx passes its question to; without a path, it passes on its own. */
const QUESTION = /(?<=location = [^{]*\{\s+internal;\s+proxy_pass http:\/\/doorward)/;

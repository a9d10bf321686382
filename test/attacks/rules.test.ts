// Rules of a share against whoever tries to get around them: other spellings of a path in front of several
// routers, headers by which backends take another path or method, and streams that were open before.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { WebSocket, WebSocketServer } from 'ws';
import type { AccessRuleDocument } from '../../src/domain/access-rule.ts';
import type { Share } from '../../src/domain/share.ts';
import { echo, echoedValues, startBackend } from '../support/backend.ts';
import { freePort } from '../support/free-port.ts';
import { startTestGate, TEST_PROVIDER, testLogin, testShare } from '../support/gate.ts';
import { until } from '../support/until.ts';

const HOST = 'demo.share.localhost';
const RULES: readonly AccessRuleDocument[] = [
  { allow: { everyone: true, paths: ['/public/*'] } },
  { deny: { everyone: true, paths: ['/public/admin/*'] } },
  { allow: { providers: [TEST_PROVIDER.name] } },
];
const SECRET = 'the secret of this share';

/** `/private` and `/public/admin/x` in the spellings by which routers have been talked round. */
const SPELLINGS = [
  '/private',
  '/private/',
  '/public/../private',
  '/public/%2e%2e/private',
  '/public/.%2e/private',
  '/public/..%2fprivate',
  '/public/..%5cprivate',
  '/public/..\\private',
  '/public/..;/private',
  '/public/..;x=1/private',
  '/public/%252e%252e/private',
  '/public//../private',
  '/public/./../private',
  '/public/x/../../private',
  '/public/..//private',
  '//private',
  '/./private',
  '/%70rivate',
  '/public/%2e%2e%2fprivate',
  '/public/%c0%ae%c0%ae/private',
  '/public/%00/../private',
  '/public/admin',
  '/public/admin/x',
  '/public//admin/x',
  '/public/./admin/x',
  '/public/%61dmin/x',
  '/public/x/../admin/x',
  '/public/admin;v=1/x',
  '/public/;/admin/x',
  '/public\\admin\\x',
  '/public%2fadmin%2fx',
  '/public/admin%2fx',
  '/public/admin%20/../admin/x',
  '/public/%5cadmin/x',
] as const;

const NGINX = '/usr/sbin/nginx';

type Router = (url: string) => string;

const ROUTERS: Readonly<Record<string, Router>> = {
  'a router of Node': (url) => URL.parse(url, 'http://x')?.pathname ?? url,
  'a router that decodes first': (url) => resolved(decoded(url.split('?', 1)[0]!)),
  'a router that decodes twice, cuts parameters and takes backslashes': (url) =>
    resolved(
      decoded(decoded(url.split('?', 1)[0]!))
        .replaceAll('\\', '/')
        .replaceAll(/;[^/]*/g, ''),
    ),
};

for (const [name, router] of Object.entries(ROUTERS))
  test(`no spelling of a path gets past rules, in front of ${name} (THREATS "Path and host confusion")`, async (t) => {
    const backend = await startBackend(t, (request, response) => {
      const path = router(request.url ?? '');
      response.end(/^\/(?:private|public\/admin)/.test(path) ? SECRET : 'open');
    });
    await refusesAll(t, backend.url);
  });

test(
  'no spelling of a path gets past rules, in front of nginx (THREATS "Path and host confusion")',
  {
    skip: existsSync(NGINX) ? false : `${NGINX} is not there`,
  },
  async (t) => {
    await refusesAll(t, await startNginx(t));
  },
);

test('OPTIONS * does not get past a rule that refuses every path', async (t) => {
  const { gate } = await ruled(t, echo, [
    { allow: { everyone: true } },
    { deny: { everyone: true, paths: ['/*'] } },
  ]);
  const asked = { host: HOST, method: 'OPTIONS' };
  assert.equal((await gate.call({ ...asked, path: '/' })).status, 403);
  assert.equal((await gate.call({ ...asked, path: '*' })).status, 403);
});

test('headers by which backends take another path or method are removed where rules ask for them', async (t) => {
  const { gate, share } = await ruled(t, echo, [
    { allow: { everyone: true, paths: ['/public/*'], methods: ['GET'] } },
  ]);
  const names = [
    'X-Original-URL',
    'X-Rewrite-URL',
    'X_Original_URL',
    'X-HTTP-Method-Override',
    'X-HTTP-Method',
    'X-Method-Override',
  ];
  const headers = Object.fromEntries(names.map((name) => [name, '/private']));
  const answer = await gate.call({
    host: HOST,
    path: '/public/a',
    headers: { ...headers, 'X-Other': 'kept' },
  });
  assert.equal(answer.status, 200);
  for (const name of names) assert.deepEqual(echoedValues(answer.body, name.toLowerCase()), [], name);
  assert.deepEqual(echoedValues(answer.body, 'x-other'), ['kept']);
  assert.equal((await gate.call({ host: HOST, path: '/public/a', method: 'DELETE' })).status, 403);
  assert.equal((await gate.call({ host: HOST, path: '/public/a?/../private' })).status, 200);
  assert.equal(share.rules.length, 1);
});

test('what a visitor was told of at an open path ends with the session; without identity it stays open', async (t) => {
  const { gate, share } = await socketShare(t);
  const login = gate.login(share);
  const known = await opened(gate.port, { cookie: login.cookie, origin: `http://${HOST}` });
  const unknown = await opened(gate.port, {});
  gate.end(login);
  await closed(known);
  unknown.send('still here');
  const [echoed] = (await once(unknown, 'message')) as [Buffer];
  assert.equal(String(echoed), 'still here');
  const other = new WebSocket(`ws://127.0.0.1:${gate.port}/private`, {
    headers: { host: HOST, origin: `http://${HOST}` },
  });
  other.on('error', () => {});
  const [request, response] = await once(other, 'unexpected-response');
  request.destroy();
  assert.equal(response.statusCode, 401);
});

test('a changed rule holds for open streams within two seconds, under load', async (t) => {
  const { gate, share } = await socketShare(t);
  const sockets = await Promise.all(Array.from({ length: 20 }, () => opened(gate.port, {})));
  const stop = new AbortController();
  const load = (async () => {
    while (!stop.signal.aborted) await gate.call({ host: HOST, path: '/public/x' });
  })();
  const begun = performance.now();
  const ended = Promise.all(sockets.map(closed));
  gate.tell({ type: 'shares', upsert: [{ ...share, rules: RULES.slice(1) }], remove: [] });
  assert.equal((await gate.call({ host: HOST, path: '/public/x' })).status, 302);
  await ended;
  stop.abort();
  await load;
  assert.ok(performance.now() - begun < 2_000);
});

test('a stream ends when the rule that let it in ends', async (t) => {
  const end = new Date(Math.ceil(Date.now() / 1000) * 1000 + 2_000).toISOString();
  const { gate } = await socketShare(t, [{ allow: { everyone: true, until: end } }]);
  const socket = await opened(gate.port, {});
  await closed(socket);
  assert.ok(Date.now() >= Date.parse(end));
  assert.equal((await gate.call({ host: HOST, path: '/public/x' })).status, 403);
});

async function refusesAll(t: TestContext, target: string): Promise<void> {
  const gate = await startTestGate({ shares: [ruledShare(target, RULES)] });
  t.after(gate.close);
  const open = await gate.call({ host: HOST, path: '/public/page' });
  assert.deepEqual([open.status, open.body.trim()], [200, 'open']);
  for (const path of SPELLINGS) {
    const answer = await gate.raw(`GET ${path} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
    assert.ok(!answer.includes(SECRET), path);
    assert.match(answer, /^HTTP\/1\.1 (?:302|400|403) /, path);
  }
}

async function ruled(t: TestContext, listener: RequestListener, rules: readonly AccessRuleDocument[]) {
  const backend = await startBackend(t, listener);
  const share = ruledShare(backend.url, rules);
  const gate = await startTestGate({ shares: [share] });
  t.after(gate.close);
  return { gate, share, backend };
}

async function socketShare(t: TestContext, rules = RULES) {
  const found = await ruled(t, (_request, response) => response.end('open'), rules);
  const sockets = new WebSocketServer({ noServer: true });
  found.backend.server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      webSocket.on('error', () => {});
      webSocket.on('message', (data, isBinary) => webSocket.send(data, { binary: isBinary }));
    });
  });
  t.after(() => {
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
  return found;
}

function ruledShare(target: string, rules: readonly AccessRuleDocument[]): Share {
  return testShare('demo', target, { login: { ...testLogin(), named: [] }, rules });
}

async function opened(port: number, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/public/socket`, {
    headers: { host: HOST, ...headers },
  });
  socket.on('error', () => {});
  await once(socket, 'open');
  return socket;
}

function closed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => socket.on('close', () => resolve()));
}

function decoded(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function resolved(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/'))
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  return `/${segments.join('/')}`;
}

async function startNginx(t: TestContext): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-rules-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${folder}/pid; error_log ${folder}/log; worker_processes 1; events {}
http {
  access_log off;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server {
    listen 127.0.0.1:${port};
    location /private { return 200 "${SECRET}"; }
    location /public/admin { return 200 "${SECRET}"; }
    location / { return 200 "open"; }
  }
}`,
  );
  const nginx = spawn(NGINX, ['-c', file, '-p', folder], { stdio: 'ignore' });
  t.after(async () => {
    const gone = new Promise((resolve) => nginx.on('exit', resolve));
    nginx.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  });
  await until(async () => {
    return fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return `http://127.0.0.1:${port}`;
}

// docs/how-to/behind-a-proxy.md, run for real: its nginx configuration, word by word but for addresses and
// files, ends TLS in front of a `doorward serve` that is configured as it says.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { parse } from 'yaml';
import { createBrowser, walkLogin, type Browser } from '../support/browser-by-hand.ts';
import { createTestAuthority } from '../support/certificates.ts';
import { type Echo, type EchoBackend, startEchoBackend } from '../support/echo-backend.ts';
import { freePort } from '../support/free-port.ts';
import { openUnlessProtected } from '../support/open-unless-protected.ts';
import { changeConfig, configFileOf, type ConfigTree, eventually, logOf } from '../support/serve-process.ts';
import { corpClient } from '../support/service.ts';
import { sharePublic } from '../support/share-process.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';

const NGINX = '/usr/sbin/nginx';
const guide = readFileSync(join(import.meta.dirname, '../../docs/how-to/behind-a-proxy.md'), 'utf8');

describe('behind nginx', { skip: existsSync(NGINX) ? false : 'nginx is not installed' }, () => {
  const undo: (() => unknown)[] = [];
  let service: ServiceProcess;
  let backend: EchoBackend;
  let port = 0;
  let ca = '';
  const urlOf = (host: string) => `https://${host}.share.localhost:${port}`;
  const share = (name: string, target = backend.url, oauthProvider: string | null = 'corp') =>
    service.client.shares.create(openUnlessProtected({ name, target, oauthProvider }));

  before(async () => {
    port = await freePort();
    const authority = createTestAuthority();
    undo.push(authority.dispose);
    ({ ca } = authority);
    backend = await startEchoBackend();
    undo.push(backend.close);
    service = await layOutService();
    undo.push(() => service.close());
    configureAsGuided(service, port);
    const callback = `${urlOf('login')}/corp/auth/callback`;
    service.idp.addClient({ ...corpClient(''), redirectUris: [callback] });
    await service.start();
    undo.push(
      await startNginx({ port, gateway: service.port, pair: authority.issue(['*.share.localhost']) }),
    );
    await eventually('nginx accepts', () =>
      createBrowser({ ca })
        .request(urlOf('nobody'))
        .catch(() => null),
    );
  });
  after(async () => {
    for (const step of undo.toReversed()) await step();
  });

  test('a visitor logs in, with Secure cookies bound to the browser, and the backend sees who they are', async () => {
    await share('demo');
    const browser = createBrowser({ ca });
    const { last } = await walkLogin(browser, `${urlOf('demo')}/deep?a=b%20c`, { email: 'ada@example.com' });
    assert.equal(last.url.href, `${urlOf('demo')}/deep?a=b%20c`);
    const { headers } = JSON.parse(last.body) as Echo;
    assert.equal(headers['svc-auth-email'], 'ada@example.com');
    assert.equal(headers['x-forwarded-proto'], 'https');
    assert.equal(browser.jar.find('svc-auth-session')?.secure, true);
    assert.ok(browser.jar.all().some(({ name }) => name.startsWith('__Host-svc-auth-bind')));
    const out = await browser.open(`${urlOf('demo')}/.svc/logout`);
    assert.equal(out.location?.origin, urlOf('login'));
  });

  test("the log and the backend get the visitor's address; what a client says of it counts for nothing", async () => {
    await share('addressed', backend.url, null);
    const host = new URL(urlOf('addressed')).host;
    const answer = await ask({
      localAddress: '127.0.0.2',
      headers: {
        host,
        'x-forwarded-for': '192.0.2.66',
        'x-real-ip': '192.0.2.66',
        forwarded: 'for=192.0.2.66',
      },
    });
    const { headers } = JSON.parse(answer) as Echo;
    assert.equal(headers['x-forwarded-for'], '127.0.0.2, 127.0.0.1');
    assert.doesNotMatch(answer, /192\.0\.2\.66/);
    const line = await eventually('the access log', () =>
      logOf(service).find(({ msg, share: name }) => msg === 'request' && name === 'addressed'),
    );
    assert.equal(line['ip'], '127.0.0.2');
  });

  test('WebSockets pass', async () => {
    await share('socket');
    const browser = await loggedIn('socket');
    const url = new URL(urlOf('socket'));
    const socket = new WebSocket(`wss://127.0.0.1:${port}/ws`, {
      agent: new Agent({ ca, servername: url.hostname }),
      headers: { host: url.host, origin: url.origin, cookie: browser.jar.header(url) ?? '' },
    });
    await once(socket, 'open');
    socket.send('hello');
    const [echoed] = (await once(socket, 'message')) as [Buffer];
    assert.equal(echoed.toString(), 'hello');
    socket.close();
  });

  test('answers stream as they come, and bodies of any size go up', async () => {
    const open = Promise.withResolvers<ServerResponse>();
    let received = 0;
    const streaming = createServer((request, response) => {
      if (request.method === 'POST') {
        request.on('data', (chunk: Buffer) => (received += chunk.byteLength));
        request.on('end', () => response.end('stored'));
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      open.resolve(response);
    });
    await new Promise<void>((resolve) => streaming.listen(0, '127.0.0.1', resolve));
    undo.push(() => streaming.close());
    await share('stream', `http://127.0.0.1:${(streaming.address() as AddressInfo).port}`, null);
    const host = new URL(urlOf('stream')).host;
    const call = httpsRequest({ ...overTls(), headers: { host } }).end();
    const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream];
    const [first] = (await once(response, 'data')) as [Buffer];
    assert.equal(first.toString(), 'data: first\n\n');
    (await open.promise).end();
    response.resume();
    const body = Buffer.alloc(3 * 1024 * 1024);
    assert.equal(await ask({ method: 'POST', headers: { host } }, body), 'stored');
    assert.equal(received, body.byteLength);
  });

  test('agents pass: what runs elsewhere is shared through nginx', async (t) => {
    const { key: apiKey } = await service.client.apiKeys.create({ name: 'agent', scope: 'tunnel' });
    const caFile = join(service.folder, 'ca.pem');
    writeFileSync(caFile, ca);
    const { control } = JSON.parse(readFileSync(configFileOf(service), 'utf8')) as ConfigTree;
    const ports = { control: Number(new URL(String(control?.['public_url'])).port) };
    const running = sharePublic(
      t,
      { folder: service.folder, apiKey, ports },
      { words: [backend.url, '--name', 'elsewhere'], env: { NODE_EXTRA_CA_CERTS: caFile } },
    );
    assert.equal(await running.line(/^https:/), urlOf('elsewhere'));
    const answer = await ask({ path: '/through', headers: { host: new URL(urlOf('elsewhere')).host } });
    assert.equal((JSON.parse(answer) as Echo).target, '/through');
    await running.line(/ \/through +200 /);
    running.signal('SIGINT');
    assert.equal((await running.ended).code, 0);
  });

  test('HTTP/2 to nginx is the same', async () => {
    await share('two', backend.url, null);
    const url = new URL(urlOf('two'));
    const session = connectHttp2(url, { ca, host: '127.0.0.1', servername: url.hostname } as object);
    try {
      const stream = session.request({ ':path': '/by-h2' });
      const { target } = JSON.parse(await text(stream)) as Echo;
      assert.equal(target, '/by-h2');
    } finally {
      session.close();
    }
  });

  test('a browser with twenty sessions, and one with six logins under way, fit through', async () => {
    const full = createBrowser({ ca });
    for (let each = 0; each < 20; each++) {
      const name = `share-with-a-long-name-${each}`;
      await share(name);
      const email = `${'a-long-address-'.repeat(3)}${each}@example.com`;
      const { last } = await walkLogin(full, urlOf(name), { email });
      assert.equal(last.status, 200, `${name}: ${last.body.slice(0, 200)}`);
    }
    await share('busy');
    const busy = createBrowser({ ca });
    const long = 'x'.repeat(900);
    const stops = [];
    for (let tab = 0; tab < 6; tab++)
      stops.push(
        await busy.follow(
          `${urlOf('busy')}/tab?${long}${tab}`,
          ({ origin }) => origin === service.idp.issuer,
        ),
      );
    for (const { stopped } of stops) assert.ok(stopped);
    const { last } = await walkLogin(busy, stops[5]?.stopped ?? '', { email: 'ada@example.com' });
    assert.equal(last.status, 200, last.body.slice(0, 200));
  });

  test('an address with a query of 16 KiB comes back whole from the login, over HTTP/1.1 and HTTP/2', async () => {
    await share('long', backend.url);
    const url = `${urlOf('long')}/search?q=${randomBytes(12_288).toString('base64url').slice(0, 16_382)}`;
    const browser = createBrowser({ ca });
    const { last, answers } = await walkLogin(browser, url, { email: 'ada@example.com' });
    assert.equal(last.url.href, url);
    assert.equal(last.status, 200, last.body.slice(0, 200));
    assert.ok(answers.some((answer) => answer.url.pathname.startsWith('/.svc/begin/')));
    const session = connectHttp2(new URL(url), { ca, host: '127.0.0.1' } as object);
    try {
      const stream = session.request({ ':path': url.slice(urlOf('long').length) });
      const [head] = (await once(stream, 'response')) as [Record<string, string | readonly string[]>];
      assert.equal(head[':status'], 302);
      assert.ok((head['set-cookie']?.length ?? 0) >= 6, 'binding and pieces');
      stream.close();
    } finally {
      session.close();
    }
  });

  async function loggedIn(name: string): Promise<Browser> {
    const browser = createBrowser({ ca });
    const { last } = await walkLogin(browser, urlOf(name), { email: 'ada@example.com' });
    assert.equal(last.status, 200);
    return browser;
  }

  function overTls(): RequestOptions {
    return { host: '127.0.0.1', port, ca, servername: 'demo.share.localhost', agent: false };
  }

  async function ask(options: RequestOptions, body?: Uint8Array): Promise<string> {
    const call = httpsRequest({ ...overTls(), ...options });
    call.end(body);
    const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream];
    return text(response);
  }
});

/** The guide's YAML laid over the service's configuration, with its addresses for the guide's. */
function configureAsGuided(service: ServiceProcess, port: number): void {
  const guided = parse(
    blockOf('yaml')
      .replaceAll('share.example.com', `share.localhost:${port}`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${service.port}`),
  ) as Record<string, object>;
  assert.deepEqual(Object.keys(guided), ['gateway', 'oauth']);
  changeConfig(service, (config) => {
    for (const [section, members] of Object.entries(guided)) Object.assign(config[section] ?? {}, members);
  });
}

type Front = {
  readonly port: number;
  readonly gateway: number;
  readonly pair: { readonly certificate: string; readonly key: string };
};

/** Starts nginx with the guide's blocks; answers how to stop it. */
async function startNginx({ port, gateway, pair }: Front): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-nginx-'));
  writeFileSync(join(folder, 'share.pem'), pair.certificate);
  writeFileSync(join(folder, 'share.key'), pair.key);
  const blocks = blockOf('nginx')
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('*.share.example.com', '*.share.localhost')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${gateway}`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr warn;
events {}
http { access_log off; ${paths.join(' ')}
${blocks}
}
`,
  );
  const child = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return async () => {
    const ended = once(child, 'exit');
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
}

/** The guide's block of that language. */
function blockOf(language: string): string {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'm').exec(guide)?.[1];
  assert.ok(block);
  return block;
}

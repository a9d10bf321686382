// `doorward share public` as a person uses it: the command as a process, against a whole service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { startEchoBackend, type Echo } from '../support/echo-backend.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { sharePublic } from '../support/share-process.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

const LIMIT = { timeout: 120_000 };
const names = async () => (await service.client.shares.list()).items.map(({ name }) => name);

test(
  'the address comes first, then how it is protected, then a line a request; Ctrl+C takes it away (The person’s view)',
  LIMIT,
  async (t) => {
    const words = ['--oauth-provider', 'corp', '--oauth-email-address-pattern', '*@example.com'];
    const running = sharePublic(t, service, { words: [String(service.backend.port), ...words] });
    const url = await running.line(/./);
    assert.equal(running.lines[0], url);
    assert.match(url, new RegExp(`^http://[a-z2-9]{12}\\.share\\.localhost:${service.ports.gateway}$`));
    await running.line(/^login +corp$/);
    await running.line(/^allowed +\*@example\.com$/);
    await running.line(/^checked +every 3h$/);
    await running.line(new RegExp(`^serves +http://localhost:${service.backend.port}$`));
    await running.line(/^expires +with this command: Ctrl\+C$/);
    const browser = createBrowser();
    const { last } = await walkLogin(browser, `${url}/a?b=1`, { email: 'ada@example.com' });
    assert.equal((JSON.parse(last.body) as Echo).headers['svc-auth-email'], 'ada@example.com');
    const line = await running.line(/ \/a\?b=1 /);
    assert.match(line, /^\d\d:\d\d:\d\d  GET +\/a\?b=1 +200 +[\d.]+ m?s  ada@example\.com$/);
    running.signal('SIGINT');
    const { code, err } = await running.ended;
    assert.equal(code, 0);
    assert.match(err, /\d\d:\d\d:\d\d  stopped: http:\S+ is gone\n$/);
    assert.deepEqual(await names(), []);
    assert.equal((await browser.open(url)).status, 404);
    assert.ok(!running.lines.some((each) => each.includes('\x1b')));
  },
);

test(
  'a visitor’s own identity headers reach neither the backend nor the request line (contract 2.6)',
  LIMIT,
  async (t) => {
    const running = sharePublic(t, service, {
      words: [service.backend.url, '--oauth-provider', 'corp', '--json'],
    });
    const url = String((await running.event('ready'))['url']);
    const browser = createBrowser();
    await walkLogin(browser, `${url}/in`, { email: 'ada@example.com' });
    const eve = 'eve@evil.test';
    const headers = {
      'svc-auth-email': eve,
      svc_auth_email: eve,
      'SVC-Auth-Provider': 'evil',
      'svc-auth-assertion': 'forged',
      'x-email': eve,
      'x-assertion': 'forged',
      'sec-fetch-site': 'none',
    };
    const { body } = await browser.request(`${url}/forged`, { headers });
    const seen = (JSON.parse(body) as Echo).headers;
    assert.equal(seen['svc-auth-email'], 'ada@example.com');
    assert.equal(seen['svc-auth-provider'], 'corp');
    assert.notEqual(seen['svc-auth-assertion'], 'forged');
    assert.equal(seen['svc_auth_email'], undefined);
    const told = JSON.parse(await running.line(/"path":"\/forged"/)) as Record<string, unknown>;
    assert.equal(told['email'], 'ada@example.com');
    running.signal('SIGINT');
    assert.equal((await running.ended).code, 0);
  },
);

test(
  '--json tells each event as a line: ready, request, away, back, stopped (The person’s view)',
  LIMIT,
  async (t) => {
    const backend = await startEchoBackend();
    const running = sharePublic(t, service, { words: [backend.url, '--json'] });
    const ready = await running.event('ready');
    assert.match(running.lines[0] ?? '', /^{"event":"ready","url":"http:/);
    assert.deepEqual([ready['target'], ready['listening']], [backend.url, true]);
    const browser = createBrowser();
    const url = String(ready['url']);
    await browser.request(`${url}/%1b[31m?\u202e`, { headers: { 'svc-auth-email': 'eve@evil.test' } });
    const { event: _event, at, durationMs, ...request } = await running.event('request');
    assert.deepEqual(request, {
      method: 'GET',
      path: '/%1b[31m?%E2%80%AE',
      status: 200,
      email: null,
      fault: null,
    });
    assert.ok(typeof durationMs === 'number' && Number.isInteger(Date.parse(String(at))));
    await backend.close();
    assert.equal((await browser.request(`${url}/down`)).status, 502);
    const down = JSON.parse(await running.line(/"path":"\/down"/)) as Record<string, unknown>;
    assert.deepEqual([down['status'], down['fault']], [502, 'backend_down']);
    await service.restart();
    await running.event('away');
    assert.ok(Number((await running.event('back'))['awayMs']) >= 0);
    assert.equal((await browser.request(url)).status, 502);
    running.signal('SIGTERM');
    assert.deepEqual(await running.ended, { code: 0, signal: null, err: '' });
    const { at: _at, ...stopped } = await running.event('stopped');
    assert.deepEqual(stopped, { event: 'stopped', url, share: 'removed' });
    assert.deepEqual(await names(), []);
  },
);

test(
  '--name is kept: taken up again after its agent was killed, with options set again or left (Kinds of share)',
  LIMIT,
  async (t) => {
    const target = service.backend.url;
    const first = sharePublic(t, service, {
      words: [
        target,
        '--name',
        'kept',
        '--oauth-provider',
        'corp',
        '--oauth-email-address-pattern',
        '*@a.test',
      ],
    });
    const url = await first.line(/./);
    assert.equal(url, `http://kept.share.localhost:${service.ports.gateway}`);
    await first.line(/^expires +never: "kept" is kept$/);
    first.signal('SIGKILL');
    await first.ended;
    const again = sharePublic(t, service, { words: [target, '--name', 'kept'] });
    assert.equal(await again.line(/./), url);
    await again.line(/^allowed +\*@a\.test$/);
    again.signal('SIGINT');
    const { code, err } = await again.ended;
    assert.equal(code, 0);
    assert.match(
      err,
      /stopped: http:\S+ is kept, and unavailable until you share it again with --name kept\n$/,
    );
    const changed = sharePublic(t, service, {
      words: [
        target,
        '--name',
        'kept',
        '--oauth-provider',
        'corp',
        '--oauth-email-address-pattern',
        '*@b.test',
      ],
    });
    await changed.line(/^allowed +\*@b\.test$/);
    changed.signal('SIGTERM');
    assert.equal((await changed.ended).code, 0);
    assert.deepEqual((await service.client.shares.show('kept')).oauthEmailAddressPatterns, ['*@b.test']);
    await service.client.shares.remove('kept');
  },
);

test(
  'a key for tunnels alone shares, takes a kept share up as it is, and changes nothing of it (Safety)',
  LIMIT,
  async (t) => {
    const { key: apiKey } = await service.client.apiKeys.create({ name: 'agent', scope: 'tunnel' });
    const words = [service.backend.url, '--name', 'by-agent', '--oauth-provider', 'corp'];
    for (const more of [[], []]) {
      const running = sharePublic(t, service, { apiKey, words: [...words, ...more] });
      await running.line(/^http:/);
      running.signal('SIGINT');
      assert.equal((await running.ended).code, 0);
    }
    const other = sharePublic(t, service, { apiKey, words: [...words, '--oauth-check-interval', '1h'] });
    const { code, err } = await other.ended;
    assert.equal(code, 4);
    assert.match(
      err,
      /the share has other options, which this API key may not change\nhint: To serve it as it is, leave out the options/,
    );
    const ephemeral = sharePublic(t, service, { apiKey, words: [service.backend.url, '--quiet'] });
    await ephemeral.line(/^http:/);
    ephemeral.signal('SIGINT');
    assert.deepEqual((await ephemeral.ended).code, 0);
    assert.equal(ephemeral.lines.length, 1);
    assert.deepEqual(await names(), ['by-agent']);
    await service.client.shares.remove('by-agent');
  },
);

test(
  'a share that is deleted while it is served ends the command, and says so (The person’s view)',
  LIMIT,
  async (t) => {
    const running = sharePublic(t, service, { words: [service.backend.url, '--name', 'gone', '--json'] });
    const ready = await running.event('ready');
    await service.client.shares.remove('gone');
    const { code, err } = await running.ended;
    assert.equal(code, 1);
    const { code: fault, detail } = JSON.parse(err) as Record<string, string>;
    assert.equal(fault, 'share_unknown');
    assert.match(
      detail ?? '',
      new RegExp(`^Cannot continue sharing ${String(ready['url'])}: the share was deleted`),
    );
    assert.equal((await running.event('stopped'))['share'], 'refused');
  },
);

test(
  'Ctrl+C lets running requests end, and again cuts them; a reader that left is a stop, too (The person’s view)',
  LIMIT,
  async (t) => {
    const hanging = sharePublic(t, service, { words: [service.backend.url, '--json'] });
    const url = String((await hanging.event('ready'))['url']);
    const reached = service.backend.seen.length;
    const cut = createBrowser()
      .request(`${url}/slow`)
      .then(
        ({ status }) => status,
        () => 'cut',
      );
    await eventually('the request reaches the backend', () => service.backend.seen.length > reached);
    hanging.signal('SIGINT');
    await hanging.event('stopping');
    hanging.signal('SIGINT');
    await hanging.ended;
    assert.ok(['cut', 502, 503].includes(await cut));
    const left = sharePublic(t, service, { words: [service.backend.url] });
    const other = await left.line(/^http:/);
    left.leave();
    assert.equal((await createBrowser().request(other)).status, 200);
    assert.deepEqual((await left.ended).signal, null);
    assert.deepEqual(await names(), []);
  },
);

test(
  'a service that is away when the command is stopped is told of the share that is left (The person’s view)',
  LIMIT,
  async (t) => {
    const short = await startTestService();
    const running = sharePublic(t, short, { words: [short.backend.url, '--json'] });
    await running.event('ready');
    await short.close();
    await running.event('away');
    running.signal('SIGINT');
    assert.equal((await running.ended).code, 0);
    // Whoever may listen there by now.
    assert.equal((await running.event('stopped'))['share'], 'left');
  },
);

test(
  'the address is told once every worker serves it: no request behind it is refused (The person’s view)',
  LIMIT,
  async (t) => {
    const two = await startTestService({ sections: { gateway: { workers: 2 } } });
    t.after(two.close);
    const running = sharePublic(t, two, { words: [two.backend.url, '--quiet'] });
    const url = await running.line(/^http:/);
    // A connection each: which worker takes it is chance.
    const answers = await Promise.all(Array.from({ length: 24 }, () => createBrowser().request(url)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    running.signal('SIGINT');
    assert.equal((await running.ended).code, 0);
  },
);

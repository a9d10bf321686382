// THREATS "Outbound": no share makes the service reach its own listeners, this machine, a private network or
// a metadata service, in any notation, by a redirect, or by a name that means something else later. Both when
// a share is made, and when the gate dials, whatever got past the first. Providers and webhooks:
// `outbound-providers.test.ts`, `outbound-webhooks.test.ts`.

import assert from 'node:assert/strict';
import { hostname, networkInterfaces } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { LISTED, LOOPBACK, METADATA, PRIVATE } from '../support/address-forms.ts';
import { startControl, type TestControl } from '../support/control.ts';
import { startTestGate, testShare } from '../support/gate.ts';
import { rawBackend } from '../support/raw-backend.ts';
import { useLookup } from '../support/resolver.ts';
import { trapServer } from '../support/trap-server.ts';

async function codeOf(control: TestControl, target: string): Promise<unknown> {
  const json = { name: `n${Math.random().toString(36).slice(2, 12)}`, target, open: true };
  const { status, document } = await control.call({ method: 'POST', path: '/v1/shares', json });
  return status === 201 ? 'made' : document['code'];
}

describe('Outbound: a share that is made', () => {
  let strict: TestControl;
  let local: TestControl;
  before(async () => {
    strict = await startControl({ directTargets: [] });
    const ownListeners = [
      { host: '0.0.0.0', port: 8282 },
      { host: '127.0.0.1', port: 9464 },
      { host: '::', port: 443 },
      { host: '::1', port: 8383 },
    ];
    local = await startControl({ directTargets: LISTED, ownListeners });
  });
  after(async () => {
    await strict[Symbol.asyncDispose]();
    await local[Symbol.asyncDispose]();
  });

  test('leads to no address that is not public, in any notation', async () => {
    for (const host of [...LOOPBACK, ...PRIVATE, ...METADATA])
      for (const target of [`http://${host}`, `https://${host}:8443`, `HTTP://${host}:80/`]) {
        const code = await codeOf(strict, target);
        assert.ok(code === 'target_refused' || code === 'validation_failed', `${target}: ${String(code)}`);
      }
    assert.equal((await strict.store.shares.all()).length, 0);
  });

  test('leads to no metadata service even where its range is listed', async () => {
    for (const host of METADATA) assert.notEqual(await codeOf(local, `http://${host}`), 'made', host);
  });

  test('leads to none of the service’s own listeners, by whichever address of this machine', async () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) =>
      (entries ?? []).map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
    );
    for (const host of [...LOOPBACK, ...own.filter((each) => !each.includes('%')), hostname()]) {
      assert.notEqual(await codeOf(local, `http://${host}:8282`), 'made', `${host}:8282`);
      assert.notEqual(await codeOf(local, `https://${host}`), 'made', `${host}:443`);
    }
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', '0', '[::]'])
      assert.notEqual(await codeOf(local, `http://${host}:9464`), 'made', `${host}:9464`);
    for (const host of ['[::1]', '[0::1]', '[::]'])
      assert.notEqual(await codeOf(local, `http://${host}:8383`), 'made', host);
    assert.equal(
      await codeOf(local, 'http://127.0.0.1:3000'),
      'made',
      'what is listed and not ours may be reached',
    );
  });

  test('is judged again when it is changed', async () => {
    assert.equal(
      (
        await local.call({
          method: 'POST',
          path: '/v1/shares',
          json: { name: 'changing', target: 'http://127.0.0.1:3000', open: true },
        })
      ).status,
      201,
    );
    for (const target of [
      'http://127.0.0.1:8282',
      'http://169.254.169.254',
      'http://[::ffff:127.0.0.1]:9464',
      'file:///etc/passwd',
      'unix:/tmp/x',
    ])
      assert.equal(
        (await local.call({ method: 'PATCH', path: '/v1/shares/changing', json: { target } })).status,
        422,
        target,
      );
    const { document } = await local.call({ path: '/v1/shares/changing' });
    assert.equal(document['target'], 'http://127.0.0.1:3000');
  });

  test('has a target of scheme, host and port, that nobody reads as another', async () => {
    for (const target of [
      'http://a@127.0.0.1:3000',
      'http://127.0.0.1:3000@evil.example',
      'http://127.0.0.1:3000/path',
      'http://127.0.0.1:3000?x',
      'http://127.0.0.1:3000#x',
      'http:\\\\127.0.0.1',
      'http:127.0.0.1',
      'http:///127.0.0.1',
      '//127.0.0.1',
      'ftp://127.0.0.1',
      'gopher://127.0.0.1',
      'file:///etc/passwd',
      'javascript:x',
      'http://',
      'http://127.0.0.1:0',
      'http://127.0.0.1:65536',
      'http://127.0.0.1:x',
      'http://127.0.0.1\n.evil.example',
      'http://127.0.0.1 .x',
      'http://\t127.0.0.1',
      ' http://127.0.0.1',
      'http://[::1%25eth0]',
      'http://[::1',
      'http://1.2.3.4.5',
      'http://256.0.0.1',
      'http://a..b',
      `http://${'a'.repeat(250)}.x`,
      '',
    ])
      assert.equal((await codeOf(local, target)) === 'made', false, JSON.stringify(target));
  });
});

describe('Outbound: a share that got past that', () => {
  test('is not dialled: private, loopback and metadata addresses, and own listeners', async (t) => {
    const trap = await trapServer(t);
    const hosts = [...LOOPBACK, ...PRIVATE, ...METADATA].filter((host) => URL.canParse(`http://${host}`));
    const shares = hosts.map((host, index) => testShare(`s${index}`, `http://${host}:${trap.port}`));
    const strict = await startTestGate({ shares, settings: { directTargets: [] } });
    t.after(strict.close);
    const ownListeners = [{ host: '0.0.0.0', port: trap.port }];
    const local = await startTestGate({ shares, settings: { directTargets: LISTED, ownListeners } });
    t.after(local.close);
    for (const [index, host] of hosts.entries())
      for (const gate of METADATA.includes(host) || LOOPBACK.includes(host) ? [strict, local] : [strict]) {
        const { status, body } = await gate.call({ host: `s${index}.share.localhost` });
        assert.deepEqual(
          [status, (JSON.parse(body) as { code: string }).code],
          [502, 'backend_refused'],
          host,
        );
        assert.doesNotMatch(body, /127|169|metadata|listen/, 'and nobody is told why');
      }
    assert.equal(trap.connections(), 0);
  });

  test('is dialled at the address that was judged, however the name resolves a moment later (rebinding)', async (t) => {
    const backend = await rawBackend((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    t.after(backend.close);
    const trap = await trapServer(t, '127.0.0.2', backend.port);
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.2'];
    const asked = useLookup(t, async () => [{ address: answers.shift() ?? '127.0.0.2', family: 4 }]);
    const gate = await startTestGate({
      shares: [testShare('demo', `http://rebind.attacker.example:${backend.port}`)],
      settings: { directTargets: ['127.0.0.1'] },
    });
    t.after(gate.close);
    const { status, body } = await gate.call({ host: 'demo.share.localhost' });
    assert.deepEqual([status, body, asked()], [200, 'ok', 1], 'asked once, and that answer was dialled');
    // Later the name is resolved again, and judged again.
    const later = Date.now() + 60_000;
    t.mock.method(Date, 'now', () => later);
    assert.equal((await gate.call({ host: 'demo.share.localhost' })).status, 502);
    assert.equal(asked(), 2);
    assert.equal(trap.connections(), 0);
  });

  test('is refused when any one of its addresses is forbidden, or hides one', async (t) => {
    const trap = await trapServer(t);
    const sets = [
      ['93.184.216.34', '10.0.0.1'],
      ['::ffff:169.254.169.254'],
      ['2606:2800:220:1::1', 'fd00:ec2::254'],
      ['fe80::1%eth0'],
      ['127.0.0.1', '93.184.216.34'],
      ['64:ff9b::7f00:1'],
      ['0.0.0.0'],
      ['rubbish'],
      [],
    ];
    let now: readonly string[] = [];
    useLookup(t, async () => now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    await using control = await startControl({ directTargets: [] });
    for (const [index, set] of sets.entries()) {
      now = set;
      const gate = await startTestGate({
        shares: [testShare('demo', `http://n${index}.attacker.example:${trap.port}`)],
        settings: { directTargets: [] },
      });
      assert.equal((await gate.call({ host: 'demo.share.localhost' })).status, 502, set.join());
      await gate.close();
      assert.equal(
        await codeOf(control, `http://n${index}.attacker.example:${trap.port}`),
        'target_refused',
        set.join(),
      );
    }
    assert.equal(trap.connections(), 0);
  });

  test('answers a redirect, and it is the visitor who follows it', async (t) => {
    const trap = await trapServer(t);
    const location = `http://127.0.0.1:${trap.port}/latest/meta-data`;
    const backend = await rawBackend((socket) =>
      socket.write(`HTTP/1.1 307 R\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
    );
    t.after(backend.close);
    const gate = await startTestGate({ shares: [testShare('demo', `http://127.0.0.1:${backend.port}`)] });
    t.after(gate.close);
    const { status, headers } = await gate.call({ host: 'demo.share.localhost', method: 'POST', body: 'x' });
    assert.deepEqual([status, headers.location], [307, location]);
    assert.equal(trap.connections(), 0);
  });

  test('that leads back here ends after one round', async (t) => {
    const gate = await startTestGate({ shares: [] });
    t.after(gate.close);
    gate.tell({ type: 'shares', upsert: [testShare('loop', `http://127.0.0.1:${gate.port}`)], remove: [] });
    const { status } = await gate.call({
      host: 'loop.share.localhost',
      headers: { 'doorward-hop': 'x', Doorward_Hop: 'y' },
    });
    assert.equal(status, 508);
    await gate.close();
    const lines = gate.said.flatMap((message) => (message.type === 'log' ? message.lines.split('\n') : []));
    assert.equal(lines.filter((line) => line.includes('"request"')).length, 2, 'there and back');
  });

  test('that comes through ever more gateways ends, too', async (t) => {
    const gate = await startTestGate({ shares: [testShare('loop', 'http://127.0.0.1:9')] });
    t.after(gate.close);
    const long = await gate.call({
      host: 'loop.share.localhost',
      headers: { 'doorward-hop': 'x, '.repeat(100) },
    });
    assert.equal(long.status, 508);
  });
});

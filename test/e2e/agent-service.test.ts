// `doorward agent` as a process: many shares from one file, kept up, changed while it runs (DESIGN 2.4; 3,
// "Tunnel").

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, test, type TestContext } from 'node:test';
import type { Echo } from '../support/echo-backend.ts';
import { startEchoBackend } from '../support/echo-backend.ts';
import { compiled, FRONT_DOOR } from '../support/front-door.ts';
import { callGate } from '../support/gate.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';

const TIMED = { timeout: 120_000 };
let service: TestService;
let keyOf: string;

before(async () => {
  service = await startTestService();
  keyOf = (await service.client.apiKeys.create({ name: 'agent', scope: 'tunnel' })).key;
});
after(() => service.close());

type Event = Readonly<Record<string, unknown>>;

/** JSON is YAML. */
function fileText(shares: readonly object[], more: object = {}): string {
  const url = `http://127.0.0.1:${service.ports.control}`;
  const meant = shares.map((share) =>
    'oauth_provider' in share || 'client_certificate' in share ? share : { open: true, ...share },
  );
  return JSON.stringify({ url, api_key_file: 'agent.key', shares: meant, ...more });
}

async function startAgent(t: TestContext, name: string, shares: readonly object[], words: readonly string[]) {
  const file = join(service.folder, `${name}.yaml`);
  await writeFile(join(service.folder, 'agent.key'), `${keyOf}\n`, { mode: 0o600 });
  await writeFile(file, fileText(shares));
  return spawnAgent(t, file, words);
}

function spawnAgent(t: TestContext, file: string, words: readonly string[], env: object = {}) {
  const child = spawn(process.execPath, [FRONT_DOOR, 'agent', '--config', file, ...words], {
    env: { ...compiled(), HOME: service.folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const ended = Promise.all([once(child, 'close'), text(child.stderr)]).then(([[code], err]) => ({
    code,
    err,
  }));
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const events = (): readonly Event[] => lines.map((line) => JSON.parse(line) as Event);
  return {
    file,
    lines,
    ended,
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    /** The first that fits, of those behind the first `from`. */
    event: (event: string, members: object = {}, from = 0): Promise<Event> =>
      eventually(`${event} ${JSON.stringify(members)}`, () =>
        events()
          .slice(from)
          .find((each) => each['event'] === event && includes(each, members)),
      ),
  };
}

function includes(event: Event, members: object): boolean {
  return Object.entries(members).every(([key, value]) => event[key] === value);
}

async function visit(name: string) {
  const { status, body } = await callGate(service.ports.gateway, { host: `${name}.share.localhost` });
  return status === 200 ? ((JSON.parse(body) as Echo).headers['x-from'] ?? 'served') : status;
}

test(
  'doorward agent serves every share of its file, and SIGHUP adds, removes and changes them, each by itself',
  TIMED,
  async (t) => {
    const [first, second] = [await startEchoBackend(), await startEchoBackend()];
    t.after(() => Promise.all([first.close(), second.close()]));
    const one = { name: 'one', target: first.url };
    const two = { name: 'two', target: first.url };
    const agent = await startAgent(t, 'agent', [one, two], ['--json']);
    const ready = await agent.event('ready', { name: 'one' });
    assert.equal(ready['url'], `http://one.share.localhost:${service.ports.gateway}`);
    assert.equal(ready['listening'], true);
    await agent.event('ready', { name: 'two' });
    assert.equal(await visit('one'), 'served');
    const seen = await agent.event('request', { name: 'one' });
    assert.deepEqual([seen['method'], seen['path'], seen['status']], ['GET', '/', 200]);

    // A faulty file: the former stays.
    await writeFile(agent.file, fileText([one, { name: 'two' }]));
    agent.signal('SIGHUP');
    const [fault] = (await agent.event('reload_failed'))['faults'] as Event[];
    assert.equal(fault?.['path'], 'shares[1].target');
    assert.equal(await visit('two'), 'served');

    // `one` moves, `two` goes, `three` comes.
    const from = agent.lines.length;
    await first.close();
    await writeFile(
      agent.file,
      fileText([
        { ...one, target: second.url },
        { name: 'three', target: second.url },
      ]),
    );
    agent.signal('SIGHUP');
    await agent.event('ready', { name: 'one', target: second.url }, from);
    await agent.event('ready', { name: 'three' }, from);
    await agent.event('stopped', { name: 'two' }, from);
    await eventually('one is served from its new target alone', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => visit('one')));
      return answers.every((each) => each === 'served');
    });
    assert.deepEqual([await visit('two'), await visit('three')], [503, 'served']);
    assert.ok(!agent.lines.slice(from).some((line) => line.includes('"stopped","name":"one"')));

    agent.signal('SIGTERM');
    assert.deepEqual(await agent.ended, { code: 0, err: '' });
    assert.deepEqual([await visit('one'), await visit('three')], [503, 503]);
    assert.equal((await service.client.shares.list()).items.length, 3);
  },
);

test(
  'doorward agent keeps on trying what fails, and serves the rest; a share that was deleted stays so until a reload',
  TIMED,
  async (t) => {
    await service.share('direct');
    const shares = [
      { name: 'direct', target: service.backend.url },
      { name: 'sound', target: service.backend.url },
    ];
    const agent = await startAgent(t, 'failing', shares, ['--json', '--quiet']);
    const failed = await agent.event('failed', { name: 'direct' });
    assert.equal(failed['code'], 'not_allowed');
    await agent.event('ready', { name: 'sound' });
    assert.equal(await visit('sound'), 'served');
    await service.client.shares.remove('sound');
    await agent.event('stopped', { name: 'sound', share: 'refused', code: 'share_unknown' });
    const from = agent.lines.length;
    agent.signal('SIGHUP');
    await agent.event('ready', { name: 'sound' }, from);
    assert.equal(await visit('sound'), 'served');
    assert.ok(!agent.lines.some((line) => line.startsWith('{"event":"request"')));
  },
);

test(
  'doorward agent makes a share that was deleted with its certificate again, and warns of one that is open',
  TIMED,
  async (t) => {
    // Only a gateway that ends TLS sees certificates.
    const secure = await startTestService({ tls: true });
    t.after(() => secure.close());
    const { folder, client, ca, backend } = secure;
    const closed = {
      name: 'closed',
      target: backend.url,
      client_certificate: { required: true, subject: 'build-*.ci' },
    };
    const both = {
      name: 'both',
      target: backend.url,
      oauth_provider: 'corp',
      client_certificate: { required: true, unit: 'CI' },
      access: 'either',
    };
    const shares = [closed, both, { name: 'open', target: backend.url, open: true }];
    const { key } = await client.apiKeys.create({ name: 'agent', scope: 'tunnel' });
    const url = `http://127.0.0.1:${secure.ports.control}`;
    const file = join(folder, 'agent.yaml');
    await writeFile(file, JSON.stringify({ url, api_key: key, shares }));
    const caFile = join(folder, 'ca.pem');
    await writeFile(caFile, ca ?? '');
    const agent = spawnAgent(t, file, ['--json', '--quiet'], { NODE_EXTRA_CA_CERTS: caFile });
    assert.equal((await agent.event('ready', { name: 'closed' }))['warning'], undefined);
    assert.equal((await agent.event('ready', { name: 'both' }))['warning'], undefined);
    assert.equal(
      (await agent.event('ready', { name: 'open' }))['warning'],
      'this share is open to everyone who has the address',
    );
    await client.shares.remove('closed');
    await agent.event('stopped', { name: 'closed', share: 'refused', code: 'share_unknown' });
    const from = agent.lines.length;
    agent.signal('SIGHUP');
    await agent.event('ready', { name: 'closed' }, from);
    const [made, other] = [await client.shares.show('closed'), await client.shares.show('both')];
    assert.deepEqual(made.clientCertificate, { required: true, subject: 'build-*.ci', unit: null });
    assert.deepEqual(other.clientCertificate, { required: true, subject: null, unit: 'CI' });
    assert.deepEqual([made.oauthProvider, made.access, other.access], [null, 'all', 'either']);
  },
);

test('doorward agent takes its shares up again after the service was away', TIMED, async (t) => {
  const agent = await startAgent(t, 'back', [{ name: 'back', target: service.backend.url }], []);
  await eventually('it is served', async () => (await visit('back')) === 'served');
  await service.restart();
  await eventually('it is served again', async () => (await visit('back')) === 'served');
  agent.signal('SIGINT');
  const { code, err } = await agent.ended;
  assert.equal(code, 0);
  assert.match(err, /^\d\d:\d\d:\d\d {2}keeping one share up$/m);
  assert.match(err, /^\d\d:\d\d:\d\d {2}back: serves \S+ at http:\/\/back\.share\.localhost:\d+$/m);
  assert.match(
    err,
    /^\d\d:\d\d:\d\d {2}back: warning: this share is open to everyone who has the address; /m,
  );
  assert.match(err, /^\d\d:\d\d:\d\d {2}back: away: /m);
  assert.match(err, /^\d\d:\d\d:\d\d {2}back: stopped$/m);
  assert.match(agent.lines.join('\n'), /^back {2}\d\d:\d\d:\d\d {2}GET {5}\/ /m);
});

test('doorward agent --check tells every fault with its place, and serves nothing', TIMED, async (t) => {
  const shares = [
    { name: 'one', target: 'nowhere://at-all' },
    { name: 'two', target: 'http://localhost:3000', insecure: true },
  ];
  const { ended, lines } = await startAgent(t, 'faulty', shares, ['--check', '--json']);
  assert.deepEqual(await ended, { code: 2, err: '' });
  const { faults } = JSON.parse(lines.join('\n')) as { faults: Event[] };
  assert.deepEqual(
    faults.map(({ path, line }) => [path, line]),
    [
      ['shares[0].target', 1],
      ['shares[1].target', 1],
    ],
  );
  const told = await startAgent(t, 'told', shares, []);
  const { code, err } = await told.ended;
  assert.equal(code, 2);
  assert.match(
    err,
    /^error: \S+told\.yaml:1:\d+ shares\[0\]\.target: found .*nothing to share; wanted a port/m,
  );
  const sound = await startAgent(t, 'sound', [{ name: 'x', target: '3000' }], ['--check']);
  assert.equal((await sound.ended).code, 0);
  assert.equal(
    (await service.client.shares.list()).items.some(({ name }) => name === 'x'),
    false,
  );
});

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { loadConfig } from '../../config/load.ts';
import { Secret } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { readMasterKey } from '../../store/sealing/master-key.ts';
import { runConfigCheck } from './config-check.ts';
import { DEFAULT_PUBLIC_URL, runInit } from './init.ts';
import type { Terminal } from '../terminal.ts';

let root = '';
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'doorward-init-'));
});
after(() => rm(root, { recursive: true }));

function recordingTerminal() {
  const said = { out: '', err: '' };
  const terminal: Terminal = {
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
    env: {},
    readSecret: () => Promise.resolve(new Secret('')),
  };
  return { said, terminal };
}

async function initialised(name: string, publicUrl = DEFAULT_PUBLIC_URL): Promise<string> {
  const dir = join(root, name);
  assert.equal(await runInit({ dir, publicUrl, json: false }, recordingTerminal().terminal), 0);
  return dir;
}

test('runInit() with an email address writes a public server, and asks a person for it (2.4)', async () => {
  const publicUrl = 'https://*.share.example.com';
  const { terminal } = recordingTerminal();
  const asked: string[] = [];
  const answers = ['ops@example.com', ''];
  const ask = async (question: string) => {
    asked.push(question);
    return answers.shift() ?? '';
  };
  const given = { dir: join(root, 'given'), publicUrl, acmeEmail: 'ops@example.com', json: false };
  assert.equal(await runInit(given, { ...terminal, ask }), 0);
  assert.deepEqual(asked, [], 'nobody is asked for what was given');
  for (const name of ['asked', 'declined', 'local-asked'])
    await runInit(
      {
        dir: join(root, name),
        publicUrl: name === 'local-asked' ? DEFAULT_PUBLIC_URL : publicUrl,
        json: false,
      },
      { ...terminal, ask },
    );
  assert.equal(asked.length, 2, 'nobody is asked where no certificate could be had');
  const configs = await Promise.all(
    ['given', 'asked', 'declined'].map((name) => loadConfig(join(root, name, 'doorward.yaml'))),
  );
  const [first, second, third] = configs;
  for (const { acme, gateway, control } of [first!, second!]) {
    assert.equal(acme?.email, 'ops@example.com');
    assert.deepEqual(acme?.httpBindAddress, { host: '0.0.0.0', port: 80 });
    assert.deepEqual([gateway.bindAddress.port, gateway.tls], [443, true]);
    assert.equal(control.publicUrl.origin, 'https://control.share.example.com');
  }
  assert.equal(third?.acme, null);
  const { said, terminal: recording } = recordingTerminal();
  assert.equal(await runConfigCheck(join(root, 'given', 'doorward.yaml'), { json: true }, recording), 0);
  const { warnings } = JSON.parse(said.out) as { warnings: { path: string }[] };
  assert.ok(!warnings.some(({ path }) => path.startsWith('acme')));
});

test('runInit() refuses an email address that is none, and shares that nobody could certify (2.4)', async () => {
  const { terminal } = recordingTerminal();
  for (const [acmeEmail, publicUrl] of [
    ['nobody', 'https://*.share.example.com'],
    ['a@b.example\nx: y', 'https://*.share.example.com'],
    ['ops@example.com', DEFAULT_PUBLIC_URL],
    ['ops@example.com', 'https://*.share.example.com:8443'],
  ] as const)
    await assert.rejects(
      runInit({ dir: join(root, 'refused'), publicUrl, acmeEmail, json: false }, terminal),
      { code: 'usage' },
    );
});

for (const [name, publicUrl] of [
  ['local', DEFAULT_PUBLIC_URL],
  ['public', 'https://share.example.com'],
  ['starred', 'https://*.Share.example.com:8443'],
] as const) {
  test(`runInit() writes a configuration for ${publicUrl} that config check finds sound (2.4)`, async () => {
    const dir = await initialised(name, publicUrl);
    const { said, terminal } = recordingTerminal();
    assert.equal(await runConfigCheck(join(dir, 'doorward.yaml'), { json: true }, terminal), 0);
    const { faults, warnings } = JSON.parse(said.out) as { faults: unknown[]; warnings: { path: string }[] };
    assert.deepEqual(faults, []);
    // What is to be filled in.
    const wanted = ['issuer', 'client_id', 'client_secret'].map((key) => `oauth.providers[0].${key}`);
    assert.deepEqual(
      warnings.map(({ path }) => path).filter((path) => path.startsWith('oauth.providers')),
      wanted,
    );
  });
}

test('runInit() writes keys of its own each time, for their owner alone (2.4)', async () => {
  const [one, two] = [await initialised('one'), await initialised('two')];
  for (const file of ['doorward.yaml', 'master.key'])
    assert.equal((await stat(join(one, file))).mode & 0o777, 0o600);
  const [a, b] = [await loadConfig(join(one, 'doorward.yaml')), await loadConfig(join(two, 'doorward.yaml'))];
  const keys = [a, b].flatMap(({ oauth }) => [
    oauth.keys.signingKey.reveal(),
    oauth.keys.encryptionKey.reveal(),
  ]);
  assert.equal(new Set(keys).size, 4);
  const masters = [
    await readMasterKey(join(one, 'master.key')),
    await readMasterKey(join(two, 'master.key')),
  ];
  assert.notEqual(masters[0]?.reveal(), masters[1]?.reveal());
});

test('runInit() sets what is off by default: logout hosts, verified addresses (DESIGN 3)', async () => {
  const { oauth } = await loadConfig(
    join(await initialised('defaults', 'https://share.example.com'), 'doorward.yaml'),
  );
  assert.deepEqual(oauth.logoutRedirectHosts, ['*.share.example.com']);
  assert.ok(oauth.providers.every((provider) => provider.requireVerifiedEmail));
});

test('runInit() writes over nothing, and leaves nothing half done (2.4)', async () => {
  const dir = await initialised('twice');
  const before_ = await readFile(join(dir, 'doorward.yaml'), 'utf8');
  const again = () =>
    runInit({ dir, publicUrl: DEFAULT_PUBLIC_URL, json: false }, recordingTerminal().terminal);
  await assert.rejects(
    again,
    (error) => error instanceof ServiceError && error.code === 'usage' && error.message.includes('it exists'),
  );
  assert.equal(await readFile(join(dir, 'doorward.yaml'), 'utf8'), before_);

  const keyed = join(root, 'keyed');
  await mkdir(keyed);
  await writeFile(join(keyed, 'master.key'), 'mine');
  await assert.rejects(
    runInit({ dir: keyed, publicUrl: DEFAULT_PUBLIC_URL, json: false }, recordingTerminal().terminal),
  );
  assert.deepEqual(await readdir(keyed), ['master.key']);
  assert.equal(await readFile(join(keyed, 'master.key'), 'utf8'), 'mine');
});

test('runInit() follows no link that lies in its way', async () => {
  const dir = join(root, 'linked');
  await mkdir(dir);
  await symlink(join(root, 'elsewhere'), join(dir, 'doorward.yaml'));
  await assert.rejects(
    runInit({ dir, publicUrl: DEFAULT_PUBLIC_URL, json: false }, recordingTerminal().terminal),
  );
  await assert.rejects(stat(join(root, 'elsewhere')));
});

for (const publicUrl of [
  'x',
  'https://com',
  'https://share.example.com/x',
  'http://share.example.com',
  'https://u@share.example.com',
  'https://share.example.com:0',
  'https://127.0.0.1',
  'https://a..b.com',
  'https://*.x"\nevil: 1',
]) {
  test(`runInit() refuses ${JSON.stringify(publicUrl)} before it writes anything (2.4)`, async () => {
    const dir = join(root, 'refused');
    await assert.rejects(
      runInit({ dir, publicUrl, json: false }, recordingTerminal().terminal),
      (error) => error instanceof ServiceError && error.code === 'usage',
    );
    await assert.rejects(stat(dir));
  });
}

test('runInit() with --json says what it wrote on stdout and nothing else (2.4)', async () => {
  const { said, terminal } = recordingTerminal();
  const dir = join(root, 'json');
  await runInit({ dir, publicUrl: DEFAULT_PUBLIC_URL, json: true }, terminal);
  assert.deepEqual(JSON.parse(said.out), {
    config: join(dir, 'doorward.yaml'),
    masterKey: join(dir, 'master.key'),
  });
  assert.equal(said.err, '');
});

test('runConfigCheck() lists the faults for people and programs, and answers 2 (2.1, 2.4)', async () => {
  const file = join(await initialised('faulty'), 'doorward.yaml');
  const text = (await readFile(file, 'utf8'))
    .replace('cookie_name:', 'cokie_name:')
    .replace('24h', '24 hours');
  await writeFile(file, text);
  const people = recordingTerminal();
  assert.equal(await runConfigCheck(file, { json: false }, people.terminal), 2);
  assert.equal(people.said.out, '');
  assert.match(people.said.err, /oauth\.cokie_name: found .*nearest is "cookie_name"/);
  const programs = recordingTerminal();
  assert.equal(await runConfigCheck(file, { json: true }, programs.terminal), 2);
  const { faults } = JSON.parse(programs.said.out) as { faults: readonly Record<string, unknown>[] };
  assert.deepEqual(
    faults.map((fault) => fault['path']),
    ['oauth.cookie_name', 'oauth.cokie_name', 'oauth.session_lifetime'],
  );
  for (const fault of faults)
    assert.deepEqual(Object.keys(fault), ['path', 'line', 'column', 'found', 'wanted']);
});

test('runConfigCheck() looks into the files that are named: certificates, master key (2.1)', async () => {
  const dir = await initialised('files');
  const file = join(dir, 'doorward.yaml');
  await writeFile(
    file,
    `${await readFile(file, 'utf8')}\ntls: [{ certificate_file: cert.pem, key_file: key.pem }]\n`,
  );
  await chmod(join(dir, 'master.key'), 0o644);
  const { said, terminal } = recordingTerminal();
  assert.equal(await runConfigCheck(file, { json: true }, terminal), 2);
  const { faults } = JSON.parse(said.out) as { faults: readonly { path: string; line: number }[] };
  assert.deepEqual(
    faults.map((fault) => fault.path),
    ['tls[0]', 'store.master_key_file'],
  );
  assert.ok(faults.every((fault) => fault.line > 1));
});

for (const [what, make] of [
  ['no file', async () => join(root, 'nowhere.yaml')],
  ['a folder', async () => root],
  [
    'bytes that are no UTF-8',
    async () => {
      const file = join(root, 'latin.yaml');
      await writeFile(file, Buffer.from([0x61, 0x3a, 0xff]));
      return file;
    },
  ],
] as const) {
  test(`loadConfig() refuses ${what} with one fault (2.1)`, async () => {
    const file = await make();
    await assert.rejects(loadConfig(file), (error) => {
      assert.ok(error instanceof ServiceError && error.code === 'config_invalid');
      assert.equal((error.extra['faults'] as readonly unknown[]).length, 1);
      return true;
    });
  });
}

// The command line: what it prints where, and how it ends, as a process of its own for one case of each kind.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Secret } from '../domain/secret.ts';
import { startControl, type TestControl } from '../../test/support/control.ts';
import { callDoorward, type Ended, runDoorward } from '../../test/support/doorward.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorward-cli-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** As a process of its own. */
function doorward(words: string, env: Readonly<Record<string, string>> = {}, input = ''): Promise<Ended> {
  return runDoorward(wordsOf(words), { env: { ...own(), ...env }, input });
}

/** In this process: what is said, where how a process says it and ends is told by others. */
function call(words: string, env: Readonly<Record<string, string>> = {}, input = ''): Promise<Ended> {
  return callDoorward(wordsOf(words), { env: { ...own(), ...env }, input });
}

function wordsOf(words: string): readonly string[] {
  return words.split(' ').filter((word) => word !== '');
}

function own() {
  return { HOME: folder, XDG_CONFIG_HOME: folder };
}

describe('wrong usage is exit 2, with an error and a hint on the error stream (DESIGN 2.4)', () => {
  const wrong: readonly (readonly [words: string, found: RegExp])[] = [
    ['', /^Usage: doorward/],
    ['share', /^Usage: doorward share/],
    ['shares list', /unknown command 'shares'/],
    ['share list --jsn', /Did you mean --json/],
    ['share list surplus', /too many arguments/],
    ['share create demo', /--target is missing[^]*--behind/],
    ['share create demo --behind --target http://a', /--target and --behind contradict each other/],
    ['share create --target http://a', /missing required argument 'name'/],
    // Contract 2.3: provider and interval are not repeatable.
    ['share create d --target http://a --oauth-provider a --oauth-provider a', /may be given only once/],
    [
      'share create d --target http://a --oauth-provider a --oauth-check-interval 1h --oauth-check-interval 2h',
      /only once/,
    ],
    ['share create d --target http://a --target http://b', /may be given only once/],
    ['share create d --target http://a --oauth-email-address-pattern *@a', /needs --oauth-provider/],
    ['share create d --target http://a --oauth-check-interval 3h', /needs --oauth-provider/],
    ['share create d --target http://a --certificate-subject *', /needs --require-client-certificate/],
    ['share create d --target http://a --certificate-unit *', /needs --require-client-certificate/],
    ['share create d --target http://a --oauth-provider a --either', /needs --require-client-certificate/],
    ['share create d --target http://a --require-client-certificate --either', /needs --oauth-provider/],
    ['share create d --target http://a --oauth-provider a --open', /contradict each other/],
    ['share modify d --require-client-certificate --open', /contradict each other/],
    [
      'share create d --target http://a --require-client-certificate --certificate-subject a --certificate-subject b',
      /only once/,
    ],
    ['share modify d', /no change is given/],
    ['share modify d --no-client-certificate --require-client-certificate', /contradict each other/],
    ['share modify d --no-client-certificate --certificate-subject a', /contradict each other/],
    ['share modify d --no-client-certificate --either', /contradict each other/],
    ['share modify d --no-oauth --oauth-provider a', /contradict each other/],
    ['share modify d --enabled --disabled', /contradict each other/],
    ['share modify d --no-oauth-email-address-patterns --oauth-email-address-pattern *@a', /contradict/],
    ['share list', /no address is given/],
    ['share list --url control.example.com', /Cannot use "control.example.com"/],
    ['share list --url http://u:p@127.0.0.1', /Cannot use/],
    ['account create Acme --admin a@example.com --config /nowhere.yaml', /no such file/],
    ['quickstart --port http', /not a port/],
  ];
  for (const [words, found] of wrong)
    test(words === '' ? '(nothing)' : words, async () => {
      const { code, out, err } = await call(words);
      assert.equal(code, 2);
      assert.equal(out, '');
      assert.match(err, found);
    });
});

test('--help and --version are answers: exit 0 on standard output (DESIGN 2.4)', async () => {
  for (const words of ['--help', 'share create --help', '--version']) {
    const { code, out, err } = await doorward(words);
    assert.deepEqual([code, err], [0, '']);
    assert.notEqual(out, '');
  }
});

test('with --json a fault is one JSON object with its code on the error stream (DESIGN 2.4)', async () => {
  const { code, out, err } = await doorward('share list --json --nothing');
  assert.deepEqual([code, out], [2, '']);
  assert.equal((JSON.parse(err) as { code: string }).code, 'usage');
});

test('a control API that is not there is exit 1 and says what to do (DESIGN 2.4)', async () => {
  const env = { DOORWARD_API_KEY: `dw_${'a'.repeat(43)}` };
  const { code, err } = await doorward('share list --url http://127.0.0.1:9', env);
  assert.equal(code, 1);
  assert.match(err, /^error: Cannot reach http:\/\/127\.0\.0\.1:9: nothing listens there\nhint: /);
});

describe('a session at the command line', () => {
  let control: TestControl;
  let env: Readonly<Record<string, string>> = {};
  before(async () => {
    control = await startControl();
    env = { DOORWARD_URL: control.url.origin, DOORWARD_API_KEY: control.alice.apiKey.reveal() };
  });
  after(() => control[Symbol.asyncDispose]());

  test('share create prints the address first, alone on its line; list, show, modify, delete (DESIGN 2.4)', async () => {
    const empty = await doorward('share list', env);
    assert.match(empty.out, /^There are no shares yet\.[^]*doorward share create/);
    const made = await doorward(
      'share create demo --target http://127.0.0.1:3000 --oauth-provider test' +
        ' --oauth-email-address-pattern *@example.com --oauth-email-address-pattern bob@*' +
        ' --oauth-check-interval 90m --allow-origin https://app.example.com',
      env,
    );
    assert.deepEqual([made.code, made.err], [0, '']);
    const [first, second, ...rest] = made.out.split('\n');
    assert.deepEqual([first, second], ['https://demo.share.example.com', '']);
    assert.deepEqual(rest.slice(0, 8), [
      'name         demo',
      'target       http://127.0.0.1:3000',
      'login        test',
      'allowed      *@example.com, bob@*',
      'checked      every 1h30m',
      'other sites  https://app.example.com',
      'owner        alice@example.com',
      'state        enabled',
    ]);
    const shown = await doorward('share show demo --json', env);
    const document = JSON.parse(shown.out) as Record<string, unknown>;
    assert.deepEqual(document, (await control.call({ path: '/v1/shares/demo' })).document);
    const disabled = await doorward('share modify demo --disabled --no-oauth --open --json', env);
    const after_ = JSON.parse(disabled.out) as Record<string, unknown>;
    assert.deepEqual([after_['enabled'], after_['oauthProvider']], [false, null]);
    const listed = await doorward('share list', env);
    assert.equal(
      listed.out,
      'NAME  URL                             TARGET                 LOGIN                   STATE     OWNER\n' +
        'demo  https://demo.share.example.com  http://127.0.0.1:3000  none: open to everyone  disabled  alice@example.com\n',
    );
    const gone = await doorward('share delete demo', env);
    assert.deepEqual([gone.code, gone.out], [0, '']);
  });

  test('share create and modify open a share to everyone with --open alone, and say both ways on (2.3)', async () => {
    const create = 'share create lobby --target http://127.0.0.1:3000';
    const refused = await call(create, env);
    assert.deepEqual([refused.code, refused.out], [2, '']);
    assert.match(refused.err, /^error: .*open to everyone\nhint: .*--oauth-provider NAME.*--open/);
    const made = await call(`${create} --open`, env);
    assert.equal(made.code, 0);
    assert.match(made.out, /^login +none: open to everyone$/m);
    assert.match(made.err, /open to everyone.*--oauth-provider NAME/);
    assert.equal((await call('share modify lobby --oauth-provider test', env)).code, 0);
    const bare = await call('share modify lobby --no-oauth --json', env);
    assert.deepEqual([bare.code, (JSON.parse(bare.err) as { code: string }).code], [2, 'share_unprotected']);
    assert.equal((await call('share modify lobby --no-oauth --open', env)).code, 0);
    await call('share delete lobby', env);
  });

  test('share create and modify ask for client certificates (DESIGN 2.4, Mutual TLS)', async () => {
    const rowsOf = async (words: string) => {
      const { out, err } = await call(words, env);
      assert.equal(err, '');
      return out.split('\n').filter((line) => /^(?:login|certificate) /.test(line));
    };
    const made = await rowsOf(
      'share create strict --target http://127.0.0.1:3000 --require-client-certificate' +
        ' --certificate-subject build-* --certificate-unit CI',
    );
    assert.deepEqual(made, ['login        certificate', 'certificate  named build-*, of unit CI']);
    const both = await rowsOf('share modify strict --oauth-provider test --no-certificate-subject');
    assert.deepEqual(both, ['login        test and certificate', 'certificate  of unit CI']);
    const either = await rowsOf('share modify strict --either --no-certificate-unit');
    assert.deepEqual(either, ['login        test or certificate', 'certificate  any of the account']);
    assert.deepEqual(
      (await rowsOf('share modify strict --no-either'))[0],
      'login        test and certificate',
    );
    assert.deepEqual(await rowsOf('share modify strict --no-client-certificate'), ['login    test']);
    const refused = await call('share modify strict --either', env);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /access: "either" needs an oauthProvider and a clientCertificate/);
  });

  test('what the API refuses keeps its code and its exit code (DESIGN 2.4, 2.5)', async () => {
    const cases: readonly (readonly [words: string, exit: number, code: string])[] = [
      ['share show nothing', 1, 'share_unknown'],
      ['share create d --target http://10.0.0.1', 2, 'target_refused'],
      ['share create d --target http://127.0.0.1:1 --oauth-provider nobody', 2, 'validation_failed'],
      ['share create auth --target http://127.0.0.1:1', 2, 'name_reserved'],
    ];
    for (const [words, exit, code] of cases) {
      const ended = await call(`${words} --json`, env);
      assert.equal(ended.code, exit, words);
      assert.equal((JSON.parse(ended.err) as { code: string }).code, code);
    }
    const stranger = await call('share list', { ...env, DOORWARD_API_KEY: `dw_${'a'.repeat(43)}` });
    assert.equal(stranger.code, 4);
    assert.match(stranger.err, /^error: .*unknown/);
    const keyless = await call('share list', { DOORWARD_URL: control.url.origin });
    assert.equal(keyless.code, 4);
  });

  test('every fault of an input is told, each on its line (DESIGN 2.4)', async () => {
    const ended = await call(
      'share create d --target http://127.0.0.1:1 --oauth-provider test --oauth-email-address-pattern [' +
        ' --oauth-check-interval never',
      env,
    );
    assert.equal(ended.code, 2);
    assert.match(ended.err, /^ {2}oauthEmailAddressPatterns\.0: /m);
    assert.match(ended.err, /^ {2}oauthCheckInterval: /m);
  });

  test('login keeps a working key for its owner alone, and gives it to no other address (DESIGN 2.4)', async () => {
    const key = control.alice.apiKey.reveal();
    const file = join(folder, 'doorward', 'credentials.json');
    const wrong = await doorward(`login --url ${control.url.origin}`, {}, `dw_${'a'.repeat(43)}\n`);
    assert.equal(wrong.code, 4);
    await assert.rejects(stat(file));
    const malformed = await doorward(`login --url ${control.url.origin}`, {}, 'hunter2\n');
    assert.equal(malformed.code, 2);
    assert.doesNotMatch(malformed.err, /hunter2/);
    const ended = await doorward(`login --url ${control.url.origin}`, {}, `${key}\n`);
    assert.equal(ended.code, 0);
    assert.doesNotMatch(ended.out + ended.err, new RegExp(key));
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, 'doorward'))).mode & 0o777, 0o700);
    assert.match(await readFile(file, 'utf8'), new RegExp(key));
    assert.equal((await doorward('share list')).code, 0);
    const elsewhere = await doorward('share list --url http://127.0.0.1:9');
    assert.equal(elsewhere.code, 4);
    assert.match(elsewhere.err, /there is no API key for it/);
  });

  test('no key goes over plain http to another machine, unless that is allowed (DESIGN 2.4)', async () => {
    // It leads here, and is no loopback address.
    const port = Number(control.url.port);
    const url = `http://0.0.0.0:${port}`;
    const home = { XDG_CONFIG_HOME: join(folder, 'plain') };
    const key = { ...home, DOORWARD_API_KEY: control.alice.apiKey.reveal() };
    const no = { DOORWARD_ALLOW_PLAIN_HTTP: '0' };
    for (const [words, variables] of [
      [`share list --url ${url}`, key],
      [`share list --url ${url}`, { ...key, ...no }],
      [`share list`, { ...key, DOORWARD_URL: url }],
      [`share public 3000 --url ${url}`, key],
      [`login --url ${url}`, home],
    ] as const) {
      const refused = await call(words, variables, `${control.alice.apiKey.reveal()}\n`);
      assert.deepEqual([refused.code, refused.out], [2, ''], words);
      assert.match(refused.err, /^error: Cannot call .* unencrypted\nhint: .*--allow-plain-http/);
    }
    assert.equal((await call(`share list --url ${url} --allow-plain-http`, key)).code, 0);
    const yes = { ...home, DOORWARD_ALLOW_PLAIN_HTTP: '1' };
    const login = await call(`login --url ${url}`, yes, `${control.alice.apiKey.reveal()}\n`);
    assert.equal(login.code, 0);
    assert.equal((await call('share list', yes)).code, 0);
    // What was kept allows nothing by itself.
    assert.equal((await call('share list', home)).code, 2);
  });

  test('the key may come from a file, and not from two places (DESIGN 2.4)', async () => {
    const file = join(folder, 'key');
    await writeFile(file, `${control.alice.apiKey.reveal()}\n`);
    const url = { DOORWARD_URL: control.url.origin };
    assert.equal((await call('share list', { ...url, DOORWARD_API_KEY_FILE: file })).code, 0);
    assert.equal((await call(`share list --api-key-file ${file}`, url)).code, 0);
    assert.equal((await call('share list', { ...env, DOORWARD_API_KEY_FILE: file })).code, 2);
    assert.equal((await call('share list --api-key-file /nowhere', url)).code, 2);
  });
});

describe('the operator’s commands', () => {
  test('account create works beside a running service, and its key at once (DESIGN 2.4)', async () => {
    await using control = await startControl();
    const env = { DOORWARD_CONFIG: await configFor(control, join(folder, 'service')) };
    const first = await doorward('account create acme --admin admin@example.com', env);
    assert.match(first.out, /^dw_[A-Za-z0-9_-]{43}\n$/);
    const acme = { id: control.alice.id, apiKey: new Secret(first.out.trim()) };
    assert.equal((await control.call({ path: '/v1/shares', as: acme })).status, 200);
    const second = await doorward('account create other --admin admin@example.com --json', env);
    const { account, apiKey } = JSON.parse(second.out) as { account: { name: string }; apiKey: string };
    assert.equal(account.name, 'other');
    assert.match(apiKey, /^dw_/);
    const again = await doorward('account create acme --admin admin@example.com', env);
    assert.equal(again.code, 1);
    assert.match(again.err, /the name is taken/);
    const { items } = JSON.parse((await doorward('account list --json', env)).out) as {
      items: { name: string }[];
    };
    assert.deepEqual(
      items.map((item) => item.name),
      ['acme', 'alice', 'mallory', 'other'],
    );
    for (const words of ['Acme --admin a@example.com', 'b --admin nobody'])
      assert.equal((await call(`account create ${words}`, env)).code, 2, words);
  });

  test('config check ends with 2 for a faulty configuration, and init never writes over one (DESIGN 2.1)', async () => {
    const dir = join(folder, 'fresh');
    assert.equal((await doorward(`init --dir ${dir}`)).code, 0);
    const file = join(dir, 'doorward.yaml');
    assert.equal((await doorward(`config check --config ${file}`)).code, 0);
    assert.equal((await doorward(`init --dir ${dir}`)).code, 2);
    assert.match((await doorward(`account list --config ${file}`)).out, /^There are no accounts yet/);
    await writeFile(file, 'gatewy: {}\n');
    const checked = await doorward('config check --json', { DOORWARD_CONFIG: file });
    assert.equal(checked.code, 2);
    assert.ok((JSON.parse(checked.out) as { faults: object[] }).faults.length > 0);
  });
});

/** A configuration whose records are those of the running control API. */
async function configFor({ store }: TestControl, dir: string): Promise<string> {
  assert.equal((await doorward(`init --dir ${dir}`)).code, 0);
  const file = join(dir, 'doorward.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/sqlite:[^"\s]+/, `sqlite:${store.sqliteFile}`));
  await writeFile(join(dir, 'master.key'), store.masterKey.reveal());
  return file;
}

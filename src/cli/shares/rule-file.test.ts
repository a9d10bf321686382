// `share create|modify|test --rule-file` against a control API.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';

const RULES = [
  { allow: { providers: ['test'], groups: ['eng-*'] } },
  { deny: { paths: ['/admin/*'], outside: ['10.0.0.0/8'] } },
];
const YAML = `
access:
  - allow: { providers: [test], groups: [eng-*] }
  - deny:
      paths: [/admin/*]
      outside: [10.0.0.0/8]
`;
const TARGET = ['--target', 'http://127.0.0.1:3000'];

describe('share create|modify --rule-file', () => {
  let control: TestControl;
  let folder: string;
  before(async () => {
    control = await startControl();
    folder = await mkdtemp(join(tmpdir(), 'doorward-rules-'));
  });
  after(async () => {
    await control[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const share = (words: readonly string[], input = '') =>
    callDoorward(['share', ...words], {
      input,
      env: {
        HOME: '/nonexistent',
        DOORWARD_URL: control.url.origin,
        DOORWARD_API_KEY: control.alice.apiKey.reveal(),
      },
    });
  const kept = async (name: string) => (await control.call({ path: `/v1/shares/${name}` })).document['rules'];

  test('create takes YAML and JSON: a list, alone or under `access` or `rules`', async () => {
    const files: readonly (readonly [name: string, content: string])[] = [
      ['access-yaml', YAML],
      ['list-yaml', YAML.replace('access:\n', '')],
      ['access-json', JSON.stringify({ access: RULES })],
      ['rules-json', JSON.stringify({ rules: RULES })],
      ['list-json', JSON.stringify(RULES, null, 2)],
    ];
    for (const [name, content] of files) {
      const file = join(folder, name);
      await writeFile(file, content);
      const made = await share(['create', name, ...TARGET, '--rule-file', file, '--json']);
      assert.equal(made.code, 0, `${name}: ${made.err}`);
      assert.deepEqual((JSON.parse(made.out) as { rules: unknown }).rules, RULES, name);
      assert.deepEqual(await kept(name), RULES, name);
    }
  });

  test('modify replaces the rules; an empty list removes them; without the option they stay', async () => {
    const file = join(folder, 'rules.yaml');
    const written = async (content: string) => {
      await writeFile(file, content);
      return share(['modify', 'changed', '--rule-file', file]);
    };
    const made = await share(['create', 'changed', ...TARGET, '--oauth-provider', 'test']);
    assert.equal(made.code, 0, made.err);
    assert.equal((await written(YAML)).code, 0);
    assert.deepEqual(await kept('changed'), RULES);
    assert.equal((await share(['modify', 'changed', '--disabled'])).code, 0);
    assert.deepEqual(await kept('changed'), RULES);
    assert.equal((await written('access:\n  - deny: { emails: [mallory@example.com] }\n')).code, 0);
    assert.deepEqual(await kept('changed'), [{ deny: { emails: ['mallory@example.com'] } }]);
    const emptied = await written('access: []\n');
    assert.equal(emptied.code, 0, emptied.err);
    assert.deepEqual(await kept('changed'), []);
  });

  test('a file that opens the share to everyone needs --open, beside a login, too; without one --open is refused', async () => {
    const file = join(folder, 'open.yaml');
    await writeFile(file, '- allow: { everyone: true }\n');
    for (const [name, ...more] of [['opened'], ['opened-login', '--oauth-provider', 'test']]) {
      const words = ['create', name ?? '', ...TARGET, '--rule-file', file, ...more];
      const refused = await share(words);
      assert.equal(refused.code, 2);
      assert.match(refused.err, /rule 1 allows everyone[^]*--open/);
      const made = await share([...words, '--open']);
      assert.equal(made.code, 0, made.err);
      assert.match(made.out, /^login +(test, and )?open to everyone by its rules$/m);
      assert.match(made.err, /open to everyone by rule 1/);
    }
    await writeFile(file, YAML);
    const narrow = await share(['create', 'narrow', ...TARGET, '--rule-file', file, '--open']);
    assert.match(narrow.err, /has rules; remove that, or leave out open/);
  });

  test('--oauth-check-interval goes with a rule file; addresses stand in it (2.3)', async () => {
    const file = join(folder, 'login.yaml');
    await writeFile(file, YAML);
    const words = ['create', 'checked', ...TARGET, '--rule-file', file];
    const made = await share([...words, '--oauth-check-interval', '20m']);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^checked +every 20m$/m);
    const refused = await share([...words, '--oauth-email-address-pattern', '*@a']);
    assert.match(refused.err, /needs --oauth-provider[^]*Write it into the rules, as emails/);
  });

  test('share test --rule-file answers for the rules of the file, and stores nothing', async () => {
    const made = await share(['create', 'tried', ...TARGET, '--oauth-provider', 'test']);
    assert.equal(made.code, 0, made.err);
    const file = join(folder, 'tried.yaml');
    const ask = ['test', 'tried', '--email', 'mallory@example.com'];
    await writeFile(file, '- deny: { emails: [mallory@example.com] }\n');
    assert.equal((await share(ask)).code, 0);
    const denied = await share([...ask, '--rule-file', file]);
    assert.match(denied.out, /^refused: .*denied by rule 1, deny\n/);
    assert.equal(denied.code, 1);
    await writeFile(file, '- deny: { emails: x }\n');
    assert.match((await share([...ask, '--rule-file', file])).err, /rule 1, `emails`: it is not a list/);
    assert.deepEqual(await kept('tried'), []);
    assert.equal((await share(ask)).code, 0);
  });

  test('what is wrong is told with its place, and nothing is changed', async () => {
    const made = await share(['create', 'steady', ...TARGET, '--oauth-provider', 'test']);
    assert.equal(made.code, 0, made.err);
    const file = join(folder, 'rules.yaml');
    const good = '- allow: { everyone: true, paths: [/healthz] }\n';
    const rows: readonly (readonly [content: string, found: RegExp])[] = [
      [`${good}- allow: { paths: [/x] }\n`, /rule 2: it lets in whoever comes/],
      [`${good}- deny: { paths: [/a/../b] }\n`, /rule 2, `paths`: /],
      [`access:\n${good}- allow: { everone: true }\n`, /rule 2: there is no condition "everone"/],
      [`${good}- deny: [\n`, /rules\.yaml: line \d+: /],
      ['', /they are not a list/],
      ['shares: []\n', /they are not a list/],
      [`access: []\nrules: []\n`, /they are not a list/],
    ];
    for (const [content, found] of rows) {
      await writeFile(file, content);
      for (const words of [
        ['modify', 'steady'],
        ['create', 'never', ...TARGET],
      ]) {
        const refused = await share([...words, '--rule-file', file]);
        assert.notEqual(refused.code, 0, content);
        assert.match(refused.err, found, content);
      }
    }
    const missing = await share(['modify', 'steady', '--rule-file', join(folder, 'none.yaml')]);
    assert.notEqual(missing.code, 0);
    assert.match(missing.err, /Cannot read .*none\.yaml: ENOENT/);
    assert.deepEqual(await kept('steady'), []);
    assert.equal((await control.call({ path: '/v1/shares/never' })).status, 404);
  });
});

// `doorward apply` and `doorward export` against the control API, on both engines.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { addAccountWithKey, startControlOn, type TestAccount, type TestControl } from '../support/control.ts';
import { callDoorward, type Ended } from '../support/doorward.ts';
import { onEngines } from '../support/on-engines.ts';
import { addThings } from '../support/operations.ts';
import { layOutService, type ServiceProcess } from '../support/service-process.ts';
import type { AccountState } from '../../src/wire/state.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/state.yaml');
const SECRETS = { PARTNER_SSO_CLIENT_SECRET: 'sesame-of-partner' };
const WEBHOOK_SECRET = 'whs_0123456789abcdefghijklmn';

onEngines('doorward apply and export', ({ openStore, storeUrl, name: engine }) => {
  let control: TestControl<Store & AsyncDisposable>;
  let folder: string;
  before(async () => {
    control = await startControlOn(await openStore());
    await addThings(control);
    folder = await mkdtemp(join(tmpdir(), 'doorward-state-'));
  });
  after(async () => {
    await control[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const account = (name: string) => addAccountWithKey(control.store, name);
  const run = (
    as: TestAccount,
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended> =>
    callDoorward(words, {
      env: {
        HOME: '/nonexistent',
        DOORWARD_URL: control.url.origin,
        DOORWARD_API_KEY: as.apiKey.reveal(),
        ...env,
      },
    });
  const written = async (name: string, text: string): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  };
  test('export, applied, is nothing to change; made anew elsewhere, it is exported as the same text', async () => {
    const { out: text } = await done(run(control.alice, ['export']));
    const file = await written('alice.yaml', text);
    const number = await control.store.changes.latest();
    const same = await done(run(control.alice, ['apply', '-f', file, '--prune', '--yes']));
    assert.match(same.out, /^nothing to change \(6 unchanged\)$/m);
    assert.equal(await control.store.changes.latest(), number);
    const copy = await account('copy');
    // Names are one account's. A secret is said where the export says that one belongs.
    const renamed = text.replaceAll('alices-', 'copied-').replaceAll('alices.host', 'copied.host');
    const there = await written(
      'copy.yaml',
      renamed.replaceAll('ALICES_', 'COPIED_').replace(/# (client_secret: .*)/, '$1'),
    );
    await done(run(copy, ['apply', '-f', there, '--yes'], { COPIED_PROVIDER_CLIENT_SECRET: 's' }));
    const { out: again } = await done(run(copy, ['export']));
    assert.equal(again, renamed.replaceAll('ALICES_', 'COPIED_'));
  });

  test('the example is applied, in the order that its things need, and then there is nothing to do', async () => {
    const example = await account('example');
    const file = await written('state.yaml', await readFile(EXAMPLE, 'utf8'));
    await writeFile(join(folder, 'webhook.secret'), `${WEBHOOK_SECRET}\n`);
    const dry = await run(example, ['apply', '-f', file, '--dry-run'], SECRETS);
    assert.equal(dry.code, 3, dry.err);
    assert.match(dry.out, /^\+ create provider partner-sso\n {4}type: OIDC$/m);
    assert.match(dry.out, /^7 to create, 1 to change, 0 unchanged$/m);
    assert.equal((await control.call({ path: '/v1/shares/wiki', as: example })).status, 404);
    const applied = await done(run(example, ['apply', '-f', file, '--yes'], SECRETS));
    assert.match(applied.out, /shown only once:\n {2}token deploy-bot dws_\S+\n$/);
    assert.match(applied.err, /^Applied 8 changes\.$/m);
    assert.match(applied.err, /Host wiki\.customer\.com is pending/);
    for (const text of [dry.out, applied.out, applied.err, control.log.join('\n')])
      assert.doesNotMatch(text, /sesame-of-partner|whs_0123/);
    const again = await done(run(example, ['apply', '-f', file, '--dry-run', '--prune'], SECRETS));
    assert.match(again.out, /^nothing to change \(8 unchanged\)$/m);
    const { out } = await done(run(example, ['export']));
    assert.doesNotMatch(out, /sesame|whs_|dws_/);
  });

  test('a change is told field by field; --prune deletes, and says so before', async () => {
    const changed = await account('changed');
    const start = 'shares:\n  - name: changed\n    target: http://127.0.0.1:3000\n    open: true\n';
    const other = '  - { name: other, target: "http://127.0.0.1:3000", open: true }\n';
    await done(run(changed, ['apply', '-f', await written('c1.yaml', start + other), '--yes']));
    const file = await written('c2.yaml', `${start}    allow_origins: ['https://a.example']\n`);
    const kept = await run(changed, ['apply', '-f', file, '--dry-run']);
    assert.equal(kept.code, 3);
    assert.match(kept.out, /^~ change share changed\n {4}allow_origins: none → \["https:\/\/a\.example"\]$/m);
    assert.match(kept.out, /^not in the file, and kept \(--prune deletes them\): share other$/m);
    const pruned = await done(run(changed, ['apply', '-f', file, '--prune', '--yes', '--json']));
    const answer = JSON.parse(pruned.out) as { applied: boolean; changes: { action: string }[] };
    assert.deepEqual(
      [answer.applied, answer.changes.map(({ action }) => action)],
      [true, ['delete', 'change']],
    );
    assert.equal((await control.call({ path: '/v1/shares/other', as: changed })).status, 404);
  });

  test('what is wrong is told in the places of the file, whoever finds it, and nothing is done', async () => {
    const wrong = await account('wrong');
    const refused = async (text: string, expected: RegExp) => {
      const file = await written('wrong.yaml', text);
      const { code, out, err } = await run(wrong, ['apply', '-f', file, '--yes']);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, expected);
      assert.match(err, /hint: Correct the file\. Nothing was changed\./);
    };
    const good = 'shares:\n  - name: good\n    target: http://127.0.0.1:3000\n    open: true\n';
    await refused(
      `${good}  - name: bad\n    targt: x\n`,
      /wrong\.yaml:6:5 shares\[1\]\.targt: found the unknown key/,
    );
    await refused(
      `${good}  - name: bad\n    target: http://127.0.0.1:3000\n    oauth_provider: nobody\nhosts:\n  - { host: a.example.com, share: none }\n`,
      /wrong\.yaml:7:21 shares\[1\]\.oauth_provider: there is no provider "nobody".*\n {2}\S*wrong\.yaml:9:5 hosts\[0\]: Cannot find share/,
    );
    assert.equal((await control.call({ path: '/v1/shares/good', as: wrong })).status, 404);
    const missing = await run(wrong, ['apply', '-f', join(folder, 'none.yaml')]);
    assert.deepEqual([missing.code, /Cannot read .*none\.yaml: ENOENT/.test(missing.err)], [2, true]);
  });

  test('--secrets-out has new tokens and secrets, for its owner alone, and over nothing', async () => {
    const secret = await account('secret');
    const state = `shares:\n  - { name: secret, target: "http://127.0.0.1:3000", open: true }
tokens:\n  - { name: bot, shares: [secret], expires_in: 30d }\nwebhooks:\n  - { url: "https://127.0.0.1/secret" }\n`;
    const file = await written('secret.yaml', state);
    const out = join(folder, 'secrets.json');
    await writeFile(out, 'mine');
    const refused = await run(secret, ['apply', '-f', file, '--yes', '--secrets-out', out]);
    assert.deepEqual([refused.code, await readFile(out, 'utf8')], [2, 'mine']);
    assert.equal((await control.call({ path: '/v1/shares/secret', as: secret })).status, 404);
    await rm(out);
    const applied = await done(run(secret, ['apply', '-f', file, '--yes', '--secrets-out', out]));
    assert.doesNotMatch(applied.out + applied.err, /dws_|whs_/);
    assert.equal((await stat(out)).mode & 0o777, 0o600);
    const made = JSON.parse(await readFile(out, 'utf8')) as { kind: string; name: string; secret: string }[];
    assert.deepEqual(
      made.map((each) => [each.kind, each.name, each.secret.slice(0, 4)]),
      [
        ['token', 'bot', 'dws_'],
        ['webhook', 'https://127.0.0.1/secret', 'whs_'],
      ],
    );
    // Nothing new, no file.
    await rm(out);
    await done(run(secret, ['apply', '-f', file, '--yes', '--secrets-out', out]));
    await assert.rejects(stat(out), { code: 'ENOENT' });
  });

  test(`killed in the middle, all was applied or nothing, and the next apply goes on (${engine})`, async () => {
    const service = await layOutService({ storeUrl: await storeUrl() });
    try {
      const state: AccountState = {
        shares: Array.from({ length: 300 }, (_, index) => ({
          name: `many-${index}`,
          target: 'http://127.0.0.1:3000',
          open: true,
        })),
      };
      await service.start();
      // Whenever it is: at each of these moments another part of it is done.
      for (const delayMs of [30, 200]) {
        const applying = service.client.state.apply({ state }).then(
          () => 'applied',
          () => 'cut',
        );
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        await service.stop('SIGKILL');
        const outcome = await applying;
        await service.start();
        const count = await countOf(service);
        assert.ok(count === 0 || count === 300, `${count} shares`);
        if (outcome === 'applied') assert.equal(count, 300);
        await service.client.state.apply({ state });
        assert.equal(await countOf(service), 300);
        assert.deepEqual((await service.client.state.apply({ state, prune: true })).changes, []);
        await service.client.state.apply({ state: { shares: [] }, prune: true });
      }
    } finally {
      await service.close();
    }
  });
});

async function done(call: Promise<Ended>): Promise<Ended> {
  const ended = await call;
  assert.equal(ended.code, 0, ended.err);
  return ended;
}

async function countOf({ client }: ServiceProcess): Promise<number> {
  return (await client.state.show()).shares?.length ?? 0;
}

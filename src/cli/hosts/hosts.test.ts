// `doorward host`, `doorward account host` and `doorward share test`, against a control API with a real
// store.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward } from '../../../test/support/doorward.ts';
import { challengeValue } from '../../domain/custom-host.ts';

/** What the DNS says, by name. */
const records = new Map<string, string>();
let folder = '';
let control: TestControl;
let configFile = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doorward-hosts-'));
  control = await startControl({}, (name) => {
    const text = records.get(name);
    return Promise.resolve({ kind: 'records', records: text === undefined ? [] : [[text]] });
  });
  configFile = await configOf(control.store);
  for (const name of ['demo', 'other'])
    await control.call({ path: '/v1/shares', json: { name, target: 'http://127.0.0.1:3000', open: true } });
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function doorward(words: string) {
  const env = {
    HOME: folder,
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
    DOORWARD_CONFIG: configFile,
  };
  return callDoorward(words.split(' '), { env });
}

test('host create, verify, list, show, delete: the record to make, then the host (DESIGN 2.3, 2.4)', async () => {
  const value = challengeValue(control.alice.id, 'app.customer.com');
  assert.match((await doorward('host list')).out, /no host names yet/);
  const made = await doorward('host create app.customer.com --share demo');
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^host +app\.customer\.com\nshare +demo\nstate +pending: not verified\n/);
  assert.ok(made.err.includes(`_doorward-challenge.app.customer.com. TXT "${value}"`), made.err);
  const early = await doorward('host verify app.customer.com --json');
  assert.equal(early.code, 1);
  assert.equal((JSON.parse(early.err) as { code: string }).code, 'host_unproved');
  records.set('_doorward-challenge.app.customer.com', value);
  const verified = await doorward('host verify app.customer.com');
  assert.deepEqual([verified.code, /active: verified by DNS/.test(verified.out)], [0, true], verified.err);
  assert.match((await doorward('host list --share demo')).out, /^app\.customer\.com +demo +active/m);
  assert.deepEqual(JSON.parse((await doorward('host list --share other --json')).out), {
    items: [],
    nextCursor: null,
  });
  assert.match((await doorward('share show demo')).out, /^also at +app\.customer\.com$/m);
  const shown = JSON.parse((await doorward('host show app.customer.com --json')).out) as { state: string };
  assert.equal(shown.state, 'active');
  assert.equal((await doorward('host delete app.customer.com')).code, 0);
  const gone = await doorward('host delete app.customer.com');
  assert.deepEqual([gone.code, gone.out], [1, '']);
  assert.equal((await doorward('host create 192.0.2.1 --share demo')).code, 2);
  assert.equal((await doorward('host create app.customer.com')).code, 2);
});

test('account host grant, list, revoke: the operator’s word beside a running service', async () => {
  assert.match((await doorward('account host list')).out, /No host is granted/);
  const granted = await doorward('account host grant alice granted.customer.com');
  assert.equal(granted.code, 0, granted.err);
  const made = JSON.parse(
    (await doorward('host create granted.customer.com --share demo --json')).out,
  ) as Readonly<Record<string, unknown>>;
  assert.deepEqual([made['state'], made['proof']], ['active', 'operator']);
  assert.equal(control.feed.findByHost('granted.customer.com')?.name, 'demo');
  const taken = await doorward('account host grant mallory granted.customer.com --json');
  assert.equal((JSON.parse(taken.err) as { code: string }).code, 'host_taken');
  assert.match((await doorward('account host list')).out, /^granted\.customer\.com +alice +/m);
  assert.equal((await doorward('account host revoke mallory granted.customer.com')).code, 1);
  const revoked = await doorward('account host revoke alice granted.customer.com --json');
  assert.deepEqual(JSON.parse(revoked.out), { account: 'alice', host: 'granted.customer.com' });
  await control.feed.caughtUp();
  assert.equal(control.feed.findByHost('granted.customer.com'), null);
  assert.equal((await doorward('account host grant alice share.example.com')).code, 2);
  assert.equal((await doorward('account host grant nobody granted.customer.com')).code, 1);
  const { document } = await control.call({ path: '/v1/audit-events' });
  const kinds = (document['items'] as { kind: string; actor: string }[])
    .map(({ kind, actor }) => `${kind} ${actor}`)
    .filter((text) => text.endsWith(' operator'));
  assert.deepEqual(kinds.toSorted(), ['host.granted operator', 'host.revoked operator']);
});

test('share test: allowed is exit code 0, refused 1, and the words say why', async () => {
  const settings = { oauthProvider: 'test', oauthEmailAddressPatterns: ['*@example.com'] };
  await control.call({
    path: '/v1/shares',
    json: { name: 'team', target: 'http://127.0.0.1:3000', ...settings },
  });
  const allowed = await doorward('share test team --email ann@example.com');
  assert.deepEqual(
    [allowed.code, allowed.out],
    [
      0,
      `allowed: ann@example.com at team: the share's pattern *@example.com matches, if the provider says that the address is verified
  login, allow: held
    providers test: held
    emails *@example.com: held
`,
    ],
  );
  const refused = await doorward('share test team --email ann@example.org --json');
  const found = JSON.parse(refused.out) as { allowed: boolean; reason: string };
  assert.deepEqual([refused.code, found.allowed, found.reason], [1, false, 'pattern_needed']);
  const nothingSaid = await doorward('share test team');
  assert.deepEqual(
    [nothingSaid.code, nothingSaid.out.split('\n')[0]],
    [1, 'depends: team: it depends on providers Test Login and emails *@example.com (login, allow)'],
  );
  assert.equal((await doorward('share test team --claim dept')).code, 2);
  assert.equal((await doorward('share test nobody --email a@b.c')).code, 1);
});

test('share test takes any facts, and names each rule and each condition', async () => {
  const rules = [
    { allow: { providers: ['test'], groups: ['eng-*'], claims: { dept: ['search'] }, acr: ['mfa'] } },
    { allow: { tokens: ['deploy-*'], certificate: { subject: 'build-*', unit: 'CI' }, methods: ['POST'] } },
    { deny: { outside: ['10.0.0.0/8'], paths: ['/admin/*'] } },
  ];
  const json = { name: 'ruled', target: 'http://127.0.0.1:3000', rules };
  assert.equal((await control.call({ path: '/v1/shares', json })).status, 201);
  const ann = 'share test ruled --email ann@example.com --claim dept=search --claim dept=x --acr mfa';
  const office = '--address 10.1.2.3 --path /admin/users --at 2030-01-31T09:00:00Z';
  const allowed = await doorward(`${ann} --group eng-web --group ops ${office} --no-token --no-certificate`);
  assert.deepEqual(
    [allowed.code, allowed.out],
    [
      0,
      `allowed: ann@example.com at ruled: allowed by rule 1, allow, if the provider says that the address is verified
  rule 1, allow: held
    providers test: held
    groups eng-*: held
    claims dept search: held
    acr mfa: held
  rule 2, allow: failed
    methods POST: unknown
    tokens deploy-*: failed
    certificate subject build-* and unit CI: failed
  rule 3, deny: failed
    paths /admin/*: held
    outside 10.0.0.0/8: failed
`,
    ],
  );
  const unsaid = await doorward(`${ann} ${office} --no-token`);
  assert.match(unsaid.out, /^depends: .*it depends on groups eng-\* \(rule 1, allow\)\n/);
  assert.equal(unsaid.code, 1);
  assert.match(
    (await doorward(`${ann} ${office} --no-token --no-certificate --no-groups`)).out,
    /^refused: /,
  );
  const program = '--token deploy-1 --certificate-subject build-7 --certificate-unit CI --method post';
  const denied = await doorward(`share test ruled ${program} --path /admin/x --address 192.0.2.1`);
  assert.match(denied.out, /^refused: ruled: denied by rule 3, deny\n/);
  assert.equal((await doorward(`share test ruled ${program} --path /x`)).code, 0);
});

/** A configuration whose records are those of the running control API. */
async function configOf({ sqliteFile, masterKey }: TestControl['store']): Promise<string> {
  const words = ['init', '--dir', folder, '--public-url', 'https://*.share.example.com'];
  assert.equal((await callDoorward(words)).code, 0);
  const file = join(folder, 'doorward.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace(/sqlite:[^"\s]+/, `sqlite:${sqliteFile}`));
  await writeFile(join(folder, 'master.key'), masterKey.reveal());
  return file;
}

// `doorward session` and `doorward audit`, against a control API with a real store.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward, startDoorward } from '../../../test/support/doorward.ts';
import { startWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import type { WebhookObject } from '../../wire/webhook.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { newId } from '../../domain/id.ts';
import { addSession, addShare } from '../../store/suite/bench.test-support.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

function doorward(...words: readonly string[]) {
  return callDoorward(words, { env: envOf() });
}

function envOf() {
  return {
    HOME: '/nonexistent',
    DOORWARD_URL: control.url.origin,
    DOORWARD_API_KEY: control.alice.apiKey.reveal(),
  };
}

test('session list and end: a table, JSON, by id and by person (DESIGN 2.4)', async () => {
  const share = await addShare(control.store, { accountId: control.alice.id, name: 'listed' });
  const begin = (browser: string, email: string) =>
    addSession(control.store, { share, at: Date.now(), browser, email });
  const ada = await begin('b1', 'ada@example.com');
  const bob = await begin('b2', 'bob@example.com');
  await begin('b3', 'bob@example.com');
  const table = await doorward('session', 'list', '--share', 'listed');
  assert.equal(table.code, 0, table.err);
  assert.match(table.out, /^WHO +SHARE +PROVIDER +FROM +SINCE +LAST SEEN +UNTIL +ID\n/);
  assert.match(
    table.out,
    new RegExp(`ada@example.com +listed +corp +192.0.2.1 +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\dZ .* ${ada}\n`),
  );
  const json = await doorward('session', 'list', '--email', 'BOB@example.com', '--json');
  const { items } = JSON.parse(json.out) as { items: { id: string; active: boolean }[] };
  assert.deepEqual([items.length, items.every(({ active }) => active)], [2, true]);
  assert.ok(items.some(({ id }) => id === bob));

  const one = await doorward('session', 'end', ada);
  assert.deepEqual([one.code, one.out, one.err], [0, '', `Ended ${ada}.\n`]);
  const person = await doorward('session', 'end', '--email', 'bob@example.com', '--json');
  assert.deepEqual(JSON.parse(person.out), { ended: 2 });
  assert.match((await doorward('session', 'list', '--share', 'listed')).out, /No matching sessions/);
  const ended = await doorward('session', 'list', '--share', 'listed', '--state', 'ended');
  assert.match(ended.out, /ended_by_admin/);
});

test('session end is wrong usage unless exactly one thing is said', async () => {
  const id = newId('ses');
  for (const words of [[], [id, '--email', 'a@b.c'], ['--email', 'a@b.c', '--share', 'x']]) {
    const { code, err } = await doorward('session', 'end', ...words);
    assert.deepEqual([code, /give an id, or one of/.test(err)], [2, true], words.join(' '));
  }
  const unknown = await doorward('session', 'end', id);
  assert.deepEqual([unknown.code, /no session has that id/.test(unknown.err)], [1, true]);
});

test('audit tells the newest, oldest of them first, filtered; --json all as lines (issue "Audit")', async () => {
  const events = Array.from({ length: 230 }, (_, index) => event({ email: 'eve@example.com', index }));
  await control.store.audit.append(events);
  const told = await doorward('audit', '--email', 'eve@example.com', '--last', '2');
  const lines = told.out.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => /number \d+/.exec(line)?.[0]),
    ['number 228', 'number 229'],
  );
  const exported = await doorward('audit', '--email', 'eve@example.com', '--kind', 'login.refused', '--json');
  const objects = exported.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string });
  assert.deepEqual(
    objects.map(({ id }) => id),
    events.map(({ id }) => id),
  );
  const none = await doorward('audit', '--email', 'eve@example.com', '--kind', 'logout', '--json');
  assert.deepEqual([none.code, none.out], [0, '']);
  const wrong = await doorward('audit', '--kind', 'nothing');
  assert.deepEqual([wrong.code, wrong.out], [2, '']);
  const span = ['--since', timeAt(5), '--until', timeAt(7)];
  const between = await doorward('audit', '--email', 'eve@example.com', ...span);
  assert.deepEqual(between.out.match(/number \d+/g), ['number 5', 'number 6']);
});

test('audit tells what a change of a share changed, before and after; --json all of it', async () => {
  const shared = ['--target', 'http://127.0.0.1:3000', '--oauth-provider', 'test'];
  assert.equal((await doorward('share', 'create', 'entry', ...shared)).code, 0);
  const groups = ['--allow-group', 'eng-*', '--allow-group', 'ops'];
  assert.equal((await doorward('share', 'modify', 'entry', ...groups)).code, 0);
  const { out } = await doorward('audit', '--share', 'entry');
  const [made, changed] = out.trimEnd().split('\n');
  assert.match(
    made ?? '',
    /share\.created .*done .* entry {2}name: entry {2}target: http.*oauthProvider: test/,
  );
  assert.match(changed ?? '', /share\.modified .* entry {2}allowGroups: none → eng-\*, ops$/);
  const json = await doorward('audit', '--share', 'entry', '--kind', 'share.modified', '--json');
  const { changes } = JSON.parse(json.out) as { changes: unknown };
  const groupsNow = { allowGroups: ['eng-*', 'ops'] };
  assert.deepEqual(changes, {
    before: { allowGroups: [] },
    after: groupsNow,
    secrets: [],
    omitted: 0,
  });
});

test('audit --follow loses and repeats nothing, whatever is written while it looks', async (t) => {
  const email = 'follow@example.com';
  const first = Array.from({ length: 3 }, (_, index) => event({ email, index }));
  await control.store.audit.append(first);
  const child = startDoorward(['audit', '--follow', '--json', '--email', email], envOf());
  t.after(() => child.kill());
  const seen: string[] = [];
  let rest = '';
  const arrived = Promise.withResolvers<void>();
  const total = 3 + 300;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    seen.push(...lines.map((line) => (JSON.parse(line) as { id: string }).id));
    if (seen.length === 3) void writeMany();
    if (seen.length >= total) arrived.resolve();
  });
  child.on('exit', () => arrived.reject(new Error('it ended')));
  const later: AuditEvent[] = [];
  async function writeMany(): Promise<void> {
    for (let index = 0; index < 300; index++) {
      // Earlier ones among them: what is written down late is told late.
      const one = event({ email, index: -index });
      later.push(one);
      await control.store.audit.append([one, event({ email: 'other@example.com', index })]);
    }
  }
  await arrived.promise;
  assert.deepEqual(
    seen,
    [...first, ...later].map(({ id }) => id),
  );
});

test('webhook create, list, show, test, deliveries, redeliver, disable, enable, modify, rotate, delete (DESIGN 2.4)', async (t) => {
  const receiver = await startWebhookReceiver();
  t.after(() => receiver.close());
  const made = await doorward('webhook', 'create', receiver.url, '--name', 'chat', '--kind', 'login.refused');
  assert.equal(made.code, 0, made.err);
  const [secret = ''] = made.out.split('\n');
  assert.match(secret, /^whs_[\w-]{43}$/);
  assert.match(made.err, /not shown again/);
  const id = /whk_\w+/.exec(made.out)?.[0] ?? '';
  const listed = await doorward('webhook', 'list');
  assert.match(listed.out, new RegExp(`${id} +chat +\\S+ +login.refused +enabled +0`));
  assert.ok(!listed.out.includes(secret));
  const tested = await doorward('webhook', 'test', id);
  assert.deepEqual([tested.code, tested.out, tested.err], [0, '', 'Delivered: it answered 204.\n']);
  assert.equal(receiver.received.length, 1);
  receiver.answer = 500;
  const failed = await doorward('webhook', 'test', id, '--json');
  assert.deepEqual(
    [failed.code, JSON.parse(failed.out)],
    [1, { delivered: false, status: 500, reason: 'it answered 500' }],
  );
  const log = await doorward('webhook', 'deliveries', id);
  assert.match(log.out, /^ID +EVENT +STATE +RESULT +ATTEMPT +DURATION +LAST ATTEMPT +NEXT\n/);
  assert.match(log.out, /^dlv_\w+ +webhook.tested +failed +500 +by hand +\d+ ms +[\d-]+ [\d:]+Z$/m);
  assert.match(log.out, /^dlv_\w+ +webhook.tested +delivered +204 +by hand /m);
  const none = await doorward('webhook', 'deliveries', id, '--state', 'retrying');
  assert.deepEqual([none.code, none.out, none.err], [0, 'No matching deliveries.\n', '']);
  const broken = await doorward('webhook', 'deliveries', id, '--state', 'failed', '--json');
  const [{ id: lost = '' } = {}] = (JSON.parse(broken.out) as { items: { id: string }[] }).items;
  Object.assign(receiver, { answer: 502, text: 'gone \u001b[31mred' });
  const again = await doorward('webhook', 'redeliver', lost);
  assert.deepEqual([again.code, again.err], [1, `error: Cannot redeliver ${lost}: it answered 502\n`]);
  receiver.answer = 204;
  const sent = await doorward('webhook', 'redeliver', lost);
  assert.deepEqual([sent.code, sent.err], [0, 'Delivered: it answered 204.\n']);
  const inFull = await doorward('webhook', 'delivery', lost);
  assert.match(inFull.out, /^state +delivered$/m);
  assert.match(inFull.out, /^by hand {2}\S+ .* 502\n {2}gone \S\[31mred$/m);
  assert.match(inFull.out, /^by hand {2}\S+ .* 204$/m);
  assert.ok(!inFull.out.includes('\u001b'));
  assert.ok(inFull.out.includes(receiver.received[1]?.body.slice(0, 40) ?? ''));
  assert.equal((await doorward('webhook', 'delivery', newId('dlv'))).code, 1);
  assert.match((await doorward('webhook', 'disable', id)).out, /state +disabled/);
  assert.match((await doorward('webhook', 'enable', id)).out, /state +enabled/);
  const modified = await doorward('webhook', 'modify', id, '--no-name', '--all-kinds');
  assert.match(modified.out, /kinds +all/);
  assert.doesNotMatch(modified.out, /name +chat/);
  const led = await doorward('webhook', 'modify', id, '--receiver', `${receiver.url}&led`, '--json');
  const { url, kinds, name } = JSON.parse(led.out) as WebhookObject;
  assert.deepEqual([url, kinds, name], [`${receiver.url}&led`, [], null]);
  const named = await doorward('webhook', 'modify', id, '--name', 'call', '--kind', 'logout');
  assert.match(named.out, /name +call\nkinds +logout/);
  const both = await doorward('webhook', 'modify', id, '--kind', 'logout', '--all-kinds');
  assert.equal(both.code, 2);
  const rotated = await doorward('webhook', 'rotate-secret', id);
  const [second = ''] = rotated.out.split('\n');
  assert.match(second, /^whs_[\w-]{43}$/);
  assert.notEqual(second, secret);
  assert.match(rotated.err, /not shown again.*the previous one also signs until \d{4}-/s);
  const ended = await doorward('webhook', 'rotate-secret', id, '--overlap', 'none', '--json');
  assert.equal((JSON.parse(ended.out) as WebhookObject).formerSecretsUntil, null);
  const shown = await doorward('webhook', 'show', id, '--json');
  assert.equal((JSON.parse(shown.out) as { id: string }).id, id);
  assert.equal((await doorward('webhook', 'delete', id)).code, 0);
  assert.match((await doorward('webhook', 'list')).out, /There are no webhooks yet/);
  const refused = await doorward('webhook', 'create', 'https://10.0.0.1/');
  assert.deepEqual([refused.code, /outbound_allow/.test(refused.err)], [2, true]);
});

function timeAt(index: number): string {
  return new Date(START + index).toISOString();
}

function event({ email, index }: { readonly email: string; readonly index: number }): AuditEvent {
  return {
    id: newId('evt'),
    at: START + index,
    kind: 'login.refused',
    accountId: control.alice.id,
    shareId: null,
    sessionId: null,
    provider: 'corp',
    email,
    actor: null,
    ip: '192.0.2.1',
    requestId: null,
    reason: `number ${index}`,
  };
}

const START = Date.now();

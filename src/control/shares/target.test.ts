import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountId, newId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { namesAsked } from '../../providers/names-asked.test-support.ts';
import { parseWebhookUrl } from '../webhooks/url.ts';
import { parseTarget } from './target.ts';

const NOTHING_LISTED = {
  directTargets: [],
  ownListeners: [{ host: '0.0.0.0', port: 8282 }],
  accountId: newId('acc'),
};

/** The code of the refusal, or the target as it is kept. */
async function outcome(target: string, directTargets: readonly string[] = []): Promise<string> {
  try {
    return await parseTarget(target, { ...NOTHING_LISTED, directTargets });
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error.code;
  }
}

test('parseTarget() refuses special-purpose addresses in any notation (THREATS "Outbound")', async () => {
  const notations = [
    'http://127.0.0.1:3000',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://0',
    'http://[::1]:3000',
    'http://[::ffff:127.0.0.1]',
    'http://[::127.0.0.1]',
    'http://[64:ff9b::7f00:1]',
    'http://[2002:7f00:1::]',
    'http://localhost:3000',
    'http://anything.localhost',
    'http://LOCALHOST.',
    'http://10.0.0.1',
    'http://172.16.0.1',
    'http://192.168.1.1',
    'http://100.64.0.1',
    'http://169.254.169.254',
    'http://[fd00:ec2::254]',
    'http://[fe80::1]',
    'http://224.0.0.1',
    'http://255.255.255.255',
    'http://①②⑦.0.0.1',
  ];
  for (const target of notations) assert.equal(await outcome(target), 'target_refused', target);
});

test('parseTarget() takes what gateway.direct_targets lists, and names the setting when it refuses (DESIGN 2.1)', async () => {
  assert.equal(await outcome('http://127.1:3000/', ['127.0.0.1:3000']), 'http://127.0.0.1:3000');
  assert.equal(await outcome('http://127.0.0.1:3001', ['127.0.0.1:3000']), 'target_refused');
  assert.equal(await outcome('HTTP://LocalHost:5173', ['localhost:5173']), 'http://localhost:5173');
  await assert.rejects(
    parseTarget('http://127.0.0.1:3000', NOTHING_LISTED),
    (error: ServiceError) => error.hint?.includes('gateway.direct_targets: ["127.0.0.1:3000"]') === true,
  );
});

test('parseTarget() refuses metadata services and own listeners even when they are listed (DESIGN "Calls out")', async () => {
  const all = ['0.0.0.0/0', '::/0'];
  for (const target of ['http://169.254.169.254', 'http://127.0.0.1:8282', 'http://[::1]:8282'])
    assert.equal(await outcome(target, all), 'target_refused', target);
  assert.equal(await outcome('http://127.0.0.1:8283', all), 'http://127.0.0.1:8283');
});

test('parseTarget() takes public addresses and keeps them in one notation (DESIGN 2.5)', async () => {
  assert.equal(await outcome('https://8.8.8.8'), 'https://8.8.8.8');
  assert.equal(await outcome('http://8.8.2056:80/'), 'http://8.8.8.8');
  assert.equal(await outcome('https://[2001:4860:4860::8888]:8443'), 'https://[2001:4860:4860::8888]:8443');
});

test('parseTarget() takes h2c with the same rules (DESIGN "HTTP/2 to backends")', async () => {
  assert.equal(await outcome('h2c://8.8.8.8:50051'), 'h2c://8.8.8.8:50051');
  assert.equal(await outcome('H2C://8.8.2056:50051/'), 'h2c://8.8.8.8:50051');
  assert.equal(await outcome('h2c://8.8.8.8'), 'h2c://8.8.8.8');
  for (const target of [
    'h2c://127.0.0.1:50051',
    'h2c://0x7f.1:1',
    'h2c://169.254.169.254',
    'h2c://localhost:1',
  ])
    assert.equal(await outcome(target), 'target_refused', target);
  for (const target of [
    'h2c:8.8.8.8',
    'h2c://8.8.8.8/path',
    'h2c://user@8.8.8.8',
    'h2c://8.8.8.8:0',
    'h2://8.8.8.8',
  ])
    assert.equal(await outcome(target), 'validation_failed', target);
});

test('parseTarget() refuses anything but http, https or h2c with host and port (DESIGN 2.5)', async () => {
  const texts = [
    '',
    '3000',
    'example.com',
    'ftp://8.8.8.8',
    'file:///etc/passwd',
    'http://',
    'http:8.8.8.8',
    'http://8.8.8.8/path',
    'http://8.8.8.8?',
    'http://8.8.8.8/?a',
    'http://8.8.8.8#',
    'http://user@8.8.8.8',
    'http://user:pass@8.8.8.8',
    'http://8.8.8.8\\@127.0.0.1',
    'http://8.8.8.8:0',
    'http://8.8.8.8:99999',
    'http://8.8.\t8.8',
    'http://8.8.8.8\n',
    ' http://8.8.8.8',
    'http://256.1.1.1',
  ];
  for (const text of texts) assert.equal(await outcome(text), 'validation_failed', JSON.stringify(text));
});

test('parseTarget() refuses a name that does not resolve (DESIGN "Calls out")', async () => {
  assert.equal(await outcome('http://nothing-of-that-name.invalid'), 'target_refused');
});

test('parseTarget() of one account, with names that nobody answers, leaves room to ask for those of others (THREATS "Exhaustion")', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = namesAsked(t, (name) =>
    name.startsWith('dead') ? new Promise(() => undefined) : Promise.reject(new Error('ENOTFOUND')),
  );
  const one = newId('acc');
  const dead = Array.from({ length: 20 }, (_, number) => targetRefused(`dead${number}`, one));
  const called = parseWebhookUrl('https://dead-hook.example', {
    outboundAllow: [],
    ownListeners: [],
    accountId: one,
  });
  await targetRefused('alive', newId('acc'));
  assert.deepEqual(asked, ['dead0.example', 'dead1.example', 'alive.example']);
  t.mock.timers.tick(5_000);
  await Promise.all([...dead, called]);
});

function targetRefused(name: string, accountId: AccountId): Promise<void> {
  const answer = parseTarget(`http://${name}.example`, { ...NOTHING_LISTED, accountId });
  return assert.rejects(answer, { code: 'target_refused' });
}

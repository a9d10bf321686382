import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actorOf } from './actor-text.ts';

test('actorOf() takes an actor apart, and leaves what it does not know', () => {
  assert.deepEqual(actorOf('member:mem_1'), { kind: 'member', id: 'mem_1' });
  assert.deepEqual(actorOf('api-key:key_1'), { kind: 'api-key', id: 'key_1' });
  assert.deepEqual(actorOf('certificate:cer_1'), { kind: 'certificate', id: 'cer_1' });
  for (const name of [
    null,
    '',
    'operator',
    'member:',
    'certificate:serial:7F01',
    'certificate-request-token:crq_1',
    '<img>:x',
  ])
    assert.deepEqual(actorOf(name), { kind: 'other', id: '' });
});

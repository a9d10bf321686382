import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Actor, actorText, parseActor } from './actor.ts';

const TEXTS: readonly (readonly [string | null, Actor])[] = [
  ['member:mem_1', { kind: 'member', id: 'mem_1' }],
  ['api-key:key_1', { kind: 'key', id: 'key_1' }],
  ['certificate:cer_1', { kind: 'certificate', id: 'cer_1' }],
  ['certificate:serial:7F01', { kind: 'certificate-serial', serial: '7F01' }],
  ['certificate-request-token:crq_1', { kind: 'token', id: 'crq_1' }],
  ['unverified:"a:b"@example.com', { kind: 'unverified', email: '"a:b"@example.com' }],
  ['holder', { kind: 'holder' }],
  ['operator', { kind: 'operator' }],
  [null, { kind: 'system' }],
];

test('actorText() and parseActor() turn each kind of actor into its one text and back', () => {
  for (const [text, actor] of TEXTS) {
    assert.equal(actorText(actor), text);
    assert.deepEqual(parseActor(text), actor);
  }
});

test('parseActor() takes no other text for an actor: no other id, no name, nothing before or after', () => {
  const others = [
    '',
    'system',
    'member',
    'member:',
    'member:mem_',
    'member:key_1',
    'api-key:first',
    'key:key_1',
    'certificate:7F01',
    'certificate:serial:',
    'certificate-request-token:cer_1',
    'unverified:',
    'operator:1',
    'operator ',
    ' holder',
    'toString:mem_1',
    '<img>:x',
  ];
  for (const text of others) assert.equal(parseActor(text), null, text);
});

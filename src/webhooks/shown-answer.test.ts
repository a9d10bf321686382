import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret } from '../domain/secret.ts';
import { shownAnswer } from './shown-answer.ts';
import { newWebhookSecret, webhookSignature } from './signature.ts';

const none: readonly Secret[] = [];
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('shownAnswer() shows at most 1 KiB, and cuts no character in two (THREATS "Exhaustion")', () => {
  assert.equal(shownAnswer(bytesOf('ok'), none), 'ok');
  assert.equal(shownAnswer(bytesOf('x'.repeat(1_000_000)), none), 'x'.repeat(1024));
  const euros = shownAnswer(bytesOf('€'.repeat(5_000)), none);
  assert.equal(euros, '€'.repeat(341));
  assert.equal(shownAnswer(new Uint8Array(), none), '');
});

test('shownAnswer() keeps no secret and no signature that a receiver sends back (5.1)', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const signature = webhookSignature(secrets, '{}', 1_700_000_000_000);
  const texts = [...secrets.map((secret) => secret.reveal()), ...signature.split('v1=').slice(1)];
  for (const before of [0, 900, 1000, 1010, 1020]) {
    const echo = `${'.'.repeat(before)}${secrets.map((secret) => secret.reveal()).join(' ')} ${signature}`;
    const shown = shownAnswer(bytesOf(echo), secrets);
    for (const text of texts) assert.ok(!shown.includes(text.slice(0, 12)), shown);
  }
});

test('shownAnswer() shows bytes that are no text, controls and turned text as replacements (THREATS "Pages")', () => {
  const hostile = Buffer.concat([
    Buffer.from('a\0b\u001b[2Jc\u202ed\u200be\r\n\tf'),
    Buffer.of(0xff, 0xc3, 0x28),
  ]);
  const shown = shownAnswer(hostile, none);
  assert.equal(shown, 'a\ufffdb\ufffd[2Jc\ufffdd\ufffde\r\n\tf\ufffd\ufffd(');
});

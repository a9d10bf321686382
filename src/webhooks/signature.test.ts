import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { Secret } from '../domain/secret.ts';
import { newWebhookSecret, webhookSignature } from './signature.ts';

test('newWebhookSecret() has 256 random bits and is never printed', () => {
  const [a, b] = [newWebhookSecret(), newWebhookSecret()];
  assert.match(a.reveal(), /^whs_[\w-]{43}$/);
  assert.notEqual(a.reveal(), b.reveal());
  assert.equal(String(a), '[secret]');
});

test('webhookSignature() is the HMAC-SHA256 of time, dot and body', () => {
  const now = 1_700_000_000_999;
  const expected = createHmac('sha256', 'whs_x').update('1700000000.{"a":"é"}').digest('hex');
  assert.equal(webhookSignature([new Secret('whs_x')], '{"a":"é"}', now), `t=1700000000,v1=${expected}`);
});

test('webhookSignature() has a v1 for each secret, the present one first', () => {
  assert.equal(
    webhookSignature([new Secret('whs_new'), new Secret('whs_old')], '{}', 1_700_000_000_000),
    `t=1700000000,v1=${mac('whs_new')},v1=${mac('whs_old')}`,
  );
});

function mac(secret: string): string {
  return createHmac('sha256', secret).update('1700000000.{}').digest('hex');
}

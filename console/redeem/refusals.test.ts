import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAULTS } from '../../src/domain/service-error.ts';
import type { Refusal } from './redeem.ts';
import { adviceFor } from './refusals.ts';

const NOTHING = { kind: 'refused', reason: null, requestId: null, retryAfterSeconds: null } as const;

function refusal(code: keyof typeof FAULTS): Refusal {
  return { ...NOTHING, code, status: FAULTS[code].status };
}

test('adviceFor() has words of its own for each code that a redemption ends with (DESIGN 2.6)', () => {
  const codes = [
    'token_unknown',
    'token_used',
    'token_expired',
    'csr_refused',
    'policy_violation',
    'insecure_channel',
    'rate_limited',
    'store_unavailable',
    'internal',
    'bad_request',
  ] as const;
  const titles = codes.map((code) => adviceFor(refusal(code)).title);
  assert.equal(new Set([...titles, adviceFor({ kind: 'unheard' }).title]).size, codes.length + 1);
  const over = codes.filter((code) => adviceFor(refusal(code)).linkIsOver);
  assert.deepEqual(over, ['token_unknown', 'token_used', 'token_expired', 'policy_violation']);
});

test('adviceFor() says the reason and the time to wait', () => {
  const weak = adviceFor({ ...refusal('csr_refused'), reason: 'an RSA key of 1024 bits' });
  assert.match(weak.text, /^It is an RSA key of 1024 bits\. Your link is still valid/);
  assert.match(adviceFor({ ...refusal('rate_limited'), retryAfterSeconds: 7 }).text, /Wait 7 seconds/);
});

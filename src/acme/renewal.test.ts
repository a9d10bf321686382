import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plannedRenewal, renewalId, retryInMs, twoThirds, windowOf } from './renewal.ts';

/** RFC 9773 appendix A. */
const EXAMPLE = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;
const HOUR_MS = 3_600_000;

function window(start: unknown, end: unknown) {
  return windowOf({ suggestedWindow: { start, end } });
}

test('renewalId() is that of the example, and none for what is no certificate (RFC 9773 section 4.1)', () => {
  assert.equal(renewalId(EXAMPLE), 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE');
  assert.equal(renewalId('no certificate'), null);
});

test('windowOf() reads a window, and nothing that is none (RFC 9773 section 4.2)', () => {
  assert.deepEqual(window('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'), {
    start: Date.UTC(2026, 0, 1),
    end: Date.UTC(2026, 0, 2),
  });
  assert.equal(window('2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'), null);
  for (const body of [null, {}, { suggestedWindow: null }, 'x', { suggestedWindow: { start: 1, end: 2 } }])
    assert.equal(windowOf(body), null);
  assert.equal(window('soon', 'later'), null);
});

test('plannedRenewal() keeps a moment that was chosen within the window, and is never too late', () => {
  const held = { notBefore: 0, notAfter: 60 * HOUR_MS, renewAt: twoThirds(0, 60 * HOUR_MS) };
  assert.equal(held.renewAt, 40 * HOUR_MS);
  const within = { start: 30 * HOUR_MS, end: 45 * HOUR_MS };
  assert.equal(plannedRenewal(within, held, 0.9), 40 * HOUR_MS);
  const early = { start: 10 * HOUR_MS, end: 20 * HOUR_MS };
  assert.equal(plannedRenewal(early, held, 0.5), 15 * HOUR_MS);
  const late = { start: 70 * HOUR_MS, end: 80 * HOUR_MS };
  assert.equal(plannedRenewal(late, held, 0), 50 * HOUR_MS);
});

test('retryInMs() grows from a minute to a day, and not everybody comes at once', () => {
  assert.deepEqual(
    [1, 2, 3].map((failures) => retryInMs(failures, 1)),
    [60_000, 240_000, 960_000],
  );
  assert.equal(retryInMs(1_000, 1), 24 * HOUR_MS);
  assert.ok(retryInMs(3, 0) < retryInMs(3, 1));
});

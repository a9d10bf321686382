// Certificates: who signed it, found by key and not by name, and what it is meant for. Whatever is missing,
// nobody gets in for want of it (Caddy CVE-2026-27586).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_TRUST } from '../../src/domain/certificate-trust.ts';
import { type ClientPair, createClientAuthority, leafByHolder } from '../support/client-authority.ts';
import { callTls, startMutualTlsGate } from '../support/mutual-tls.ts';

const STRICT = 'strict.share.localhost';
const HOUR_MS = 3_600_000;

/** As a client sends it: leaf first. */
function chained(leaf: ClientPair, ...others: readonly { readonly certificate: string }[]): ClientPair {
  return { ...leaf, certificate: [leaf, ...others].map(({ certificate }) => certificate).join('') };
}

test('a certificate of whatever is not the key of an authority of the account is refused', async (t) => {
  const { gate, authority, otherAuthority } = await startMutualTlsGate(t);
  const { accountId } = authority.trusted;
  const fake = createClientAuthority(accountId, { name: 'Test CA' });
  const below = authority.below('Below');
  const holder = authority.leaf();
  const byHolder = leafByHolder(holder);
  const rows: Readonly<Record<string, ClientPair>> = {
    'of another account’s authority, of the same name': otherAuthority.leaf(),
    'with that authority in the chain': chained(otherAuthority.leaf(), otherAuthority),
    'of a made-up authority of the same name': fake.leaf(),
    'with the made-up authority in the chain': chained(fake.leaf(), fake),
    'with the real authority in the chain': chained(fake.leaf(), authority),
    'of an authority below that is not in the chain': below.leaf(),
    'of an authority below that is in the chain': chained(below.leaf(), below),
    'signed by the holder of a good one': chained(byHolder, holder),
  };
  for (const [what, pair] of Object.entries(rows)) {
    const answer = await callTls(gate.port, { host: STRICT, pair });
    assert.deepEqual([answer.status, answer.code], [403, 'certificate_foreign'], what);
  }
  // What is behind a good one in its chain changes nothing.
  assert.equal(
    (await callTls(gate.port, { host: STRICT, pair: chained(authority.leaf(), fake) })).status,
    200,
  );
});

test('a certificate for something else than clients is refused', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  for (const usage of ['none', 'serverAuth'] as const) {
    const answer = await callTls(gate.port, { host: STRICT, pair: authority.leaf({ usage }) });
    assert.equal(answer.code, 'certificate_unfit', usage);
  }
});

test('a certificate before and after its time is refused', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const now = Date.now();
  const rows = [
    [{ notBefore: now + HOUR_MS, notAfter: now + 2 * HOUR_MS }, 'certificate_not_yet_valid'],
    [{ notBefore: now - 2 * HOUR_MS, notAfter: now - HOUR_MS }, 'certificate_expired'],
  ] as const;
  for (const [dates, code] of rows)
    assert.equal((await callTls(gate.port, { host: STRICT, pair: authority.leaf(dates) })).code, code);
});

test('without authorities nobody gets in, whatever is shown (CVE-2026-27586)', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t, { trust: NO_TRUST });
  assert.equal(
    (await callTls(gate.port, { host: STRICT, pair: authority.leaf() })).code,
    'certificate_foreign',
  );
  assert.equal((await callTls(gate.port, { host: STRICT })).code, 'certificate_required');
});

test('an authority that is over vouches for nobody', async (t) => {
  const { gate, strict, tell } = await startMutualTlsGate(t, { trust: NO_TRUST });
  const over = createClientAuthority(strict.accountId, { notAfter: Date.now() - HOUR_MS });
  tell({ authorities: [over.trusted] });
  assert.equal((await callTls(gate.port, { host: STRICT, pair: over.leaf() })).code, 'certificate_foreign');
  // Nor one of which only the gateway’s records say so.
  const early = createClientAuthority(strict.accountId);
  tell({ authorities: [{ ...early.trusted, notAfter: Date.now() - 1 }] });
  assert.equal((await callTls(gate.port, { host: STRICT, pair: early.leaf() })).code, 'certificate_foreign');
});

test('a made-up authority of the same name is refused, or written down where TLS 1.2 ends before an answer', async (t) => {
  const { gate, strict, authority } = await startMutualTlsGate(t);
  const fake = createClientAuthority(authority.trusted.accountId, { name: 'Test CA' });
  const pair = chained(fake.leaf(), fake);
  const old = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
  const call = callTls(gate.port, { host: STRICT, pair, tls: old });
  const seen = await call.then(
    ({ code }) => code,
    () => 'cut off',
  );
  assert.ok(['certificate_foreign', 'cut off'].includes(String(seen)), String(seen));
  await gate.close();
  const [event] = gate.audits();
  assert.equal(gate.audits().length, 1);
  assert.deepEqual(
    [event?.kind, event?.reason, event?.shareId, event?.accountId, event?.ip],
    ['certificate.refused', 'certificate_foreign', strict.id, strict.accountId, '127.0.0.1'],
  );
  const lines = gate.said.flatMap((message) => (message.type === 'log' ? message.lines.split('\n') : []));
  assert.equal(lines.filter((line) => line.includes('"certificate_foreign"')).length, 1, lines.join('\n'));
  // Nothing is told of who shows none, or breaks off.
  assert.doesNotMatch(lines.join('\n'), /mallory/);
});

// Certificates: a TLS session that is resumed brings the certificate of the one that began it, without its
// key being asked for again. It counts under the policy that it was made under alone, and only for as long as
// the certificate does (the class of CVE-2025-23419). With `openssl s_client`, in TLS 1.2 and 1.3.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { revocationOf, startMutualTlsGate } from '../support/mutual-tls.ts';
import { createSClient } from '../support/s-client.ts';

const STRICT = 'strict.share.localhost';
const SECOND = 'second.share.localhost';
const OTHER = 'other.share.localhost';
const OPEN = 'open.share.localhost';

for (const version of ['-tls1_2', '-tls1_3'] as const) {
  test(`a ticket is good where it was made, and nowhere else (${version})`, async (t) => {
    const { gate, authority, otherAuthority } = await startMutualTlsGate(t);
    const ask = createSClient(t, gate.port);
    const pair = authority.leaf();
    const at = (host: string) => ({ version, servername: host, host });
    const first = await ask({ ...at(STRICT), pair, keepAs: 'strict' });
    assert.deepEqual([first.status, first.reused], [200, false]);
    // Tickets work at all, and bring the certificate: what is refused below is not for want of them.
    const again = await ask({ ...at(STRICT), use: 'strict' });
    assert.deepEqual([again.status, again.reused], [200, true]);
    // All shares of the account are one policy.
    const second = await ask({ ...at(SECOND), use: 'strict' });
    assert.deepEqual([second.status, second.reused], [200, true]);
    for (const host of [OTHER, OPEN, 'nobody.share.localhost']) {
      const elsewhere = await ask({ ...at(host), use: 'strict' });
      assert.equal(elsewhere.reused, false, host);
      assert.equal(elsewhere.code, ELSEWHERE[host], host);
    }
    const nameless = await ask({ version, servername: null, host: STRICT, use: 'strict' });
    assert.deepEqual([nameless.reused, nameless.code], [false, 'misdirected']);
    // And nothing that was made elsewhere is good there.
    await ask({ ...at(OPEN), pair, keepAs: 'open' });
    await ask({ ...at(OTHER), pair: otherAuthority.leaf(), keepAs: 'other' });
    for (const use of ['open', 'other']) {
      const foreign = await ask({ ...at(STRICT), use });
      assert.deepEqual([foreign.reused, foreign.code], [false, 'certificate_required'], use);
    }
  });

  test(`a resumed connection is for the hosts of its policy alone (${version})`, async (t) => {
    const { gate, authority } = await startMutualTlsGate(t);
    const ask = createSClient(t, gate.port);
    await ask({ version, servername: STRICT, host: STRICT, pair: authority.leaf(), keepAs: 'strict' });
    for (const host of [OPEN, OTHER]) {
      const answer = await ask({ version, servername: STRICT, host, use: 'strict' });
      assert.deepEqual([answer.status, answer.code, answer.reused], [421, 'misdirected', true], host);
    }
  });

  test(`a session without a certificate is resumed without one (${version})`, async (t) => {
    const { gate } = await startMutualTlsGate(t);
    const ask = createSClient(t, gate.port);
    const call = { version, servername: STRICT, host: STRICT };
    assert.equal((await ask({ ...call, keepAs: 'bare' })).code, 'certificate_required');
    const again = await ask({ ...call, use: 'bare' });
    assert.deepEqual([again.code, again.reused], ['certificate_required', true]);
  });

  test(`a revoked certificate opens nothing on a resumed connection (${version})`, async (t) => {
    const { gate, authority, tell } = await startMutualTlsGate(t);
    const ask = createSClient(t, gate.port);
    const pair = authority.leaf();
    const call = { version, servername: STRICT, host: STRICT };
    await ask({ ...call, pair, keepAs: 'strict' });
    tell(revocationOf(authority, pair));
    const again = await ask({ ...call, use: 'strict' });
    assert.deepEqual([again.code, again.reused], ['certificate_revoked', true]);
    // Nor again.
    assert.equal((await ask({ ...call, pair })).code, 'certificate_revoked');
  });

  test(`a ticket from before the authorities changed is none, and one that went vouches for nobody (${version})`, async (t) => {
    const { gate, authority, tell } = await startMutualTlsGate(t);
    const ask = createSClient(t, gate.port);
    const pair = authority.leaf();
    const call = { version, servername: STRICT, host: STRICT };
    await ask({ ...call, pair, keepAs: 'strict' });
    tell({ gone: [authority.trusted.id] });
    const again = await ask({ ...call, use: 'strict', pair });
    assert.deepEqual([again.code, again.reused], ['certificate_foreign', false]);
  });

  test(`a certificate that expires meanwhile opens nothing on a resumed connection (${version})`, async (t) => {
    const { gate, authority } = await startMutualTlsGate(t);
    const ask = createSClient(t, gate.port);
    const notAfter = Math.ceil(Date.now() / 1000) * 1000 + 3_000;
    const call = { version, servername: STRICT, host: STRICT };
    const first = await ask({ ...call, pair: authority.leaf({ notAfter }), keepAs: 'strict' });
    // On a machine that is very slow it is over by now, which is as good.
    assert.ok(first.status === 200 || first.code === 'certificate_expired');
    await over(notAfter);
    assert.equal((await ask({ ...call, use: 'strict' })).code, 'certificate_expired');
  });
}

test('nobody becomes somebody else in the middle of a connection: TLS 1.2 renegotiates nothing', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const { certificate: cert, key } = authority.leaf();
  const options = { servername: STRICT, rejectUnauthorized: false, maxVersion: 'TLSv1.2' } as const;
  const socket = connect({ host: '127.0.0.1', port: gate.port, cert, key, ...options });
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  socket.on('error', resolve);
  socket.renegotiate({ rejectUnauthorized: false }, resolve);
  assert.match(String(await promise), /no renegotiation/i);
});

/**
 * What a share elsewhere says to whoever comes without a certificate; nothing that is a fault where nobody
 * asks.
 */
const ELSEWHERE: Readonly<Record<string, string | null>> = {
  [OTHER]: 'certificate_required',
  [OPEN]: null,
  'nobody.share.localhost': 'share_unknown',
};

function over(time: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, Math.max(0, time - Date.now()) + 1);
  return promise;
}

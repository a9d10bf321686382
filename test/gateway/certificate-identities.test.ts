// Who comes by certificate, as the backend is told, the log and the inventory; and who is turned away, and
// why (DESIGN 3, "Mutual TLS").

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testLogin } from '../support/gate.ts';
import { echoedValues } from '../support/backend.ts';
import { createClientAuthority } from '../support/client-authority.ts';
import { callTls, revocationOf, startMutualTlsGate } from '../support/mutual-tls.ts';

const STRICT = 'strict.share.localhost';
const ANN = { commonName: 'ann', organization: 'Corp', organizationalUnit: 'Zoë' };

test('the backend is told subject, serial and fingerprint, signed, and nothing that the client says of them (DESIGN "Mutual TLS")', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const pair = authority.leaf(ANN);
  const headers = {
    'svc-auth-cert-subject': 'CN=root',
    svc_auth_cert_serial: '00',
    'Svc-Auth-Cert-Fingerprint': '00',
    'client-cert': ':AAAA:',
    'svc-auth-email': 'root@example.com',
  };
  const { body } = await callTls(gate.port, { host: STRICT, pair, headers });
  const told = (name: string) => echoedValues(body, name);
  assert.deepEqual(told('svc-auth-cert-subject'), ['CN=ann,OU=Zo\\c3\\ab,O=Corp']);
  assert.deepEqual(told('svc-auth-cert-serial'), [pair.serial]);
  assert.deepEqual(told('svc-auth-cert-fingerprint'), [pair.fingerprint]);
  for (const name of ['svc_auth_cert_serial', 'client-cert', 'svc-auth-email', 'svc-auth-provider'])
    assert.deepEqual(told(name), [], name);
  const { aud, sub, cert, exp, email } = claimsOf(told('svc-auth-assertion')[0]);
  assert.deepEqual([aud, sub, email], [`https://${STRICT}`, 'cert:CN=ann,OU=Zo\\c3\\ab,O=Corp', undefined]);
  assert.deepEqual(cert, {
    subject: 'CN=ann,OU=Zo\\c3\\ab,O=Corp',
    serial: pair.serial,
    fingerprint: pair.fingerprint,
  });
  assert.ok(Number(exp) <= Date.now() / 1000 + 300);
});

test('an assertion ends with its certificate (DESIGN "Mutual TLS")', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const notAfter = Math.floor(Date.now() / 1000) * 1000 + 60_000;
  const { body } = await callTls(gate.port, { host: STRICT, pair: authority.leaf({ notAfter }) });
  assert.equal(claimsOf(echoedValues(body, 'svc-auth-assertion')[0])['exp'], notAfter / 1000);
});

test('with a login both are needed, and both are told; with either one is enough (DESIGN "Mutual TLS")', async (t) => {
  const { gate, strict, authority } = await startMutualTlsGate(t, { more: { login: testLogin() } });
  const pair = authority.leaf();
  const { cookie, session } = gate.login(strict);
  const ask = (more: object) => callTls(gate.port, { host: STRICT, ...more });
  assert.equal((await ask({ headers: { cookie } })).code, 'certificate_required');
  assert.equal((await ask({ pair })).code, 'login_required');
  const both = await ask({ pair, headers: { cookie } });
  assert.equal(both.status, 200);
  assert.deepEqual(echoedValues(both.body, 'svc-auth-email'), [session.email]);
  assert.deepEqual(echoedValues(both.body, 'svc-auth-cert-serial'), [pair.serial]);
  const claims = claimsOf(echoedValues(both.body, 'svc-auth-assertion')[0]);
  assert.equal(claims['email'], session.email);
  assert.equal((claims['cert'] as { serial: string }).serial, pair.serial);

  gate.tell({ type: 'shares', upsert: [{ ...strict, access: 'either' }], remove: [] });
  const byCertificate = await ask({ pair });
  assert.deepEqual(echoedValues(byCertificate.body, 'svc-auth-cert-serial'), [pair.serial]);
  assert.deepEqual(echoedValues(byCertificate.body, 'svc-auth-email'), []);
  const byLogin = await ask({ headers: { cookie } });
  assert.deepEqual(echoedValues(byLogin.body, 'svc-auth-email'), [session.email]);
  assert.deepEqual(echoedValues(byLogin.body, 'svc-auth-cert-serial'), []);
  assert.equal((await ask({})).code, 'login_required');
  // Whoever came by certificate alone is not logged in.
  assert.equal((await ask({ pair, path: '/.svc/session' })).code, 'login_required');
});

test('a refusal says why, and of a certificate of the account which one it was; pages too (DESIGN "Mutual TLS")', async (t) => {
  const { gate, strict, authority, tell } = await startMutualTlsGate(t);
  gate.tell({
    type: 'shares',
    upsert: [{ ...strict, clientCertificate: { subject: 'ann', unit: null } }],
    remove: [],
  });
  const HOUR = 3_600_000;
  const revoked = authority.leaf();
  tell(revocationOf(authority, revoked));
  const stranger = createClientAuthority(authority.trusted.accountId).leaf({ commonName: 'Mallory' });
  const rows = [
    [undefined, 'certificate_required'],
    [stranger, 'certificate_foreign'],
    [revoked, 'certificate_revoked'],
    [
      authority.leaf({ notBefore: Date.now() + HOUR, notAfter: Date.now() + 2 * HOUR }),
      'certificate_not_yet_valid',
    ],
    [
      authority.leaf({ notBefore: Date.now() - 2 * HOUR, notAfter: Date.now() - HOUR }),
      'certificate_expired',
    ],
    [authority.leaf({ usage: 'none' }), 'certificate_unfit'],
    [authority.leaf({ usage: 'serverAuth' }), 'certificate_unfit'],
    [authority.leaf({ commonName: 'bob' }), 'certificate_refused'],
  ] as const;
  for (const [pair, code] of rows) {
    const known = pair !== undefined && pair !== stranger;
    const certificate = pair === undefined ? {} : { pair };
    const headers = { connection: 'keep-alive' };
    const answer = await callTls(gate.port, { host: STRICT, ...certificate, headers });
    assert.deepEqual([answer.status, answer.code], [403, code]);
    // The next connection may bring another.
    assert.equal(answer.headers['connection'], 'close');
    assert.equal(answer.body.includes('CN='), known, code);
    const page = await callTls(gate.port, { host: STRICT, ...certificate, headers: { accept: 'text/html' } });
    assert.match(String(page.headers['content-type']), /^text\/html/);
    assert.match(page.body, /<h1>[^<]*certificate[^<]*<\/h1>/i);
    assert.equal(page.body.includes('CN='), known, code);
    assert.ok(!page.body.includes('Mallory'));
  }
});

test('a page of another share uses no certificate of the visitor (THREATS "Sibling shares")', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const pair = authority.leaf();
  const sibling = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
  const answer = await callTls(gate.port, { host: STRICT, pair, headers: sibling });
  assert.equal(answer.code, 'foreign_origin');
  const link = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  assert.equal((await callTls(gate.port, { host: STRICT, pair, headers: link })).status, 200);
});

test('who was let in is told with where and from where, once a minute; who was not is in the audit (DESIGN 2.6)', async (t) => {
  const { gate, strict, authority, tell } = await startMutualTlsGate(t);
  const [ann, bob] = [authority.leaf(), authority.leaf({ commonName: 'bob' })];
  for (let turn = 0; turn < 3; turn++) await callTls(gate.port, { host: STRICT, pair: ann });
  tell(revocationOf(authority, bob));
  await callTls(gate.port, { host: STRICT, pair: bob });
  await gate.close();
  const uses = gate.said.flatMap((message) => (message.type === 'certificates-seen' ? message.uses : []));
  assert.deepEqual(
    uses.map(({ fingerprint, on, from }) => [fingerprint, on, from]),
    [[ann.fingerprint, 'strict', '127.0.0.1']],
  );
  const [event, ...more] = gate.audits();
  assert.deepEqual(
    [event?.kind, event?.reason, event?.shareId, event?.actor, event?.accountId, more.length],
    [
      'certificate.refused',
      'certificate_revoked',
      strict.id,
      `certificate:serial:${bob.serial}`,
      strict.accountId,
      0,
    ],
  );
  const log = gate.said.flatMap((message) => (message.type === 'log' ? [message.lines] : [])).join('');
  assert.ok(log.includes(`"certificate":"${ann.serial}"`) && log.includes('"reason":"certificate_revoked"'));
});

function claimsOf(assertion: string | undefined): Readonly<Record<string, unknown>> {
  const [, body = ''] = String(assertion).split('.');
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
}

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { startControl, type TestAnswer, type TestControl } from '../../../test/support/control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { verifyClient } from '../../../test/support/pki.ts';
import type { HeldCertificate } from '../../domain/client-certificate.ts';
import { pem } from '../../x509/pem.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
const WISH = {
  name: 'ann’s laptop',
  commonName: 'ann',
  emailAddress: 'ann@corp.example',
  validity: '40d',
};

type Rig = AsyncDisposable & {
  readonly control: TestControl;
  /** Calls with that certificate from now on. */
  readonly hold: (certificate: string) => Promise<void>;
  readonly issue: (input?: object) => Promise<string>;
  readonly renew: (json?: object) => Promise<TestAnswer>;
};

async function startRig(): Promise<Rig> {
  let held: HeldCertificate | null = null;
  const control = await startControl({ clientCertificates: 'optional', certificate: () => held });
  return {
    control,
    async hold(certificate) {
      const { fingerprint256 } = new X509Certificate(certificate);
      const fingerprint = fingerprint256.replaceAll(':', '').toLowerCase();
      const found = await control.store.certificates.findByFingerprint(fingerprint);
      held = { authorityId: found?.caId ?? null, fingerprint };
    },
    async issue(input = WISH) {
      const token = await control.call({ path: '/v1/certificate-request-tokens', json: input });
      const json = { token: token.document['token'], csr };
      const made = await control.call({ path: '/v1/client-certificates/redeem', json, as: null });
      return String(made.document['certificate']);
    },
    renew: (json = {}) => control.call({ path: '/v1/client-certificates/renew', json, as: null }),
    [Symbol.asyncDispose]: () => control[Symbol.asyncDispose](),
  };
}

test('whoever holds a certificate renews it twenty times a minute at most, those that came of it included', async () => {
  await using rig = await startRig();
  await rig.hold(await rig.issue());
  const statuses: number[] = [];
  for (let round = 0; round < 20; round++) statuses.push((await rig.renew()).status);
  const last = await rig.renew();
  // The token was tried once before.
  assert.deepEqual([statuses.at(18), statuses.at(19), last.status], [201, 429, 429]);
  await rig.hold(await rig.issue());
  assert.equal((await rig.renew()).status, 201);
});

test('renewing keeps what was allowed: name, subject, role, validity, and who allowed it', async () => {
  await using rig = await startRig();
  const first = await rig.issue({ ...WISH, apiRole: 'member' });
  await rig.hold(first);
  const renewed = await rig.renew();
  assert.equal(renewed.status, 201);
  const { certificate = '', chain = '' } = renewed.document as Record<string, string>;
  const [before, after] = [new X509Certificate(first), new X509Certificate(certificate)];
  assert.equal(after.subject, before.subject);
  assert.equal(after.subjectAltName, before.subjectAltName);
  assert.ok(after.publicKey.equals(before.publicKey));
  assert.notEqual(after.serialNumber, before.serialNumber);
  assert.equal(after.validToDate.getTime() - after.validFromDate.getTime(), 40 * DAY_MS + 5 * 60_000);
  const shown = async (serial: string) =>
    (await rig.control.call({ path: `/v1/client-certificates/${serial}` })).document;
  const [old, fresh] = [await shown(before.serialNumber), await shown(after.serialNumber)];
  for (const field of ['name', 'commonName', 'emailAddress', 'apiRole', 'allowedBy'])
    assert.equal(fresh[field], old[field], field);
  assert.deepEqual([fresh['renewedFrom'], old['state']], [old['id'], 'living']);
  const account = rig.control.alice.id;
  const crl = await fetch(new URL(`/pki/${account}/crl.der`, rig.control.url));
  const list = pem('X509 CRL', Buffer.from(await crl.arrayBuffer()));
  assert.match(verifyClient({ certificate, ca: chain, crl: list }), /: OK\n$/);
  const { document } = await rig.control.call({ path: '/v1/audit-events?kind=certificate.renewed' });
  const [event] = document['items'] as { actor: string; reason: string; email: string }[];
  assert.deepEqual(
    [event?.actor, event?.reason, event?.email],
    [`certificate:${String(old['id'])}`, fresh['id'], WISH.emailAddress],
  );
});

test('renewing for a new key takes a CSR; the same key gets the same certificate again', async () => {
  await using rig = await startRig();
  await rig.hold(await rig.issue());
  const other = opensslCsr(OPENSSL_ALGORITHMS.Ed25519).csr;
  const made = await Promise.all([rig.renew({ csr: other }), rig.renew({ csr: other }), rig.renew()]);
  const serials = made.map(({ document }) => document['serial']);
  assert.equal(serials[0], serials[1]);
  assert.notEqual(serials[0], serials[2]);
  assert.equal((await rig.renew()).document['serial'], serials[2]);
  const { publicKey } = new X509Certificate(String(made[0]?.document['certificate']));
  assert.equal(publicKey.asymmetricKeyType, 'ed25519');
  const bad = await rig.renew({ csr: 'no' });
  assert.deepEqual([bad.status, bad.document['code']], [422, 'csr_refused']);
  assert.doesNotMatch(String(bad.document['hint']), /token/);
  const events = await rig.control.call({ path: '/v1/audit-events?kind=certificate.renewed' });
  assert.equal((events.document['items'] as unknown[]).length, 2);
});

test('what is renewed once more is renewed from the new one, by whichever authority issues then', async () => {
  await using rig = await startRig();
  await rig.hold(await rig.issue());
  const second = String((await rig.renew()).document['certificate']);
  await rig.control.call({ method: 'POST', path: '/v1/account-ca/rotate', json: {} });
  await rig.hold(second);
  const third = await rig.renew();
  const authorities = await rig.control.call({ path: '/v1/account-ca' });
  const [issuing] = authorities.document['items'] as { certificate: string }[];
  assert.equal(third.document['chain'], issuing?.certificate);
});

test('renewing keeps to the rules of today (contract 2.7)', async () => {
  await using rig = await startRig();
  await rig.hold(await rig.issue());
  const policy = (json: object) =>
    rig.control.call({ method: 'PATCH', path: '/v1/certificate-policy', json });
  await policy({ maxValidity: '10d' });
  const short = new X509Certificate(String((await rig.renew()).document['certificate']));
  assert.equal(short.validToDate.getTime() - short.validFromDate.getTime(), 10 * DAY_MS + 5 * 60_000);
  await policy({ organization: 'Corp' });
  const refused = await rig.renew();
  assert.deepEqual([refused.status, refused.document['code']], [422, 'policy_violation']);
  // What was shortened is as long as it was allowed to be once the rules let it.
  await policy({ organization: null, maxValidity: null });
  await rig.hold(short.toString());
  const long = new X509Certificate(String((await rig.renew()).document['certificate']));
  assert.equal(long.validToDate.getTime() - long.validFromDate.getTime(), 40 * DAY_MS + 5 * 60_000);
});

test('a line of renewals ends when its token, or the rules of today, say so', async () => {
  await using rig = await startRig();
  const policy = (json: object) =>
    rig.control.call({ method: 'PATCH', path: '/v1/certificate-policy', json });
  const never = await rig.issue({ ...WISH, renewableFor: 'none' });
  await rig.hold(never);
  const refused = await rig.renew();
  assert.deepEqual([refused.status, refused.document['code']], [422, 'policy_violation']);
  assert.match(String(refused.document['detail']), /does not allow renewal/);
  await rig.hold(await rig.issue({ ...WISH, renewableFor: '60d' }));
  assert.equal((await rig.renew()).status, 201);
  // Rules that are stricter than the token hold, and none may ask for more than they allow.
  await policy({ renewableFor: '20d' });
  assert.equal((await rig.renew()).document['code'], 'policy_violation');
  const more = { ...WISH, renewableFor: '21d' };
  const asked = await rig.control.call({ path: '/v1/certificate-request-tokens', json: more });
  assert.deepEqual([asked.status, asked.document['code']], [422, 'policy_violation']);
  const none = await policy({ renewableFor: 'none' });
  assert.equal(none.document['renewableFor'], 'none');
  await rig.hold(await rig.issue());
  assert.equal((await rig.renew()).document['code'], 'policy_violation');
  assert.equal((await policy({ renewableFor: null })).document['renewableFor'], null);
  assert.equal((await rig.renew()).status, 201);
});

test('none is renewed without a certificate, a living one, of a suspended account, or where none is asked for', async () => {
  await using rig = await startRig();
  assert.equal((await rig.renew()).document['code'], 'certificate_required');
  const certificate = await rig.issue();
  await rig.hold(certificate);
  const foreign = await rig.control.call({
    path: '/v1/client-certificates/renew',
    json: {},
    as: null,
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(foreign.document['code'], 'foreign_origin');
  await rig.control.store.accounts.suspend(rig.control.alice.id, true);
  assert.equal((await rig.renew()).document['code'], 'certificate_foreign');
  await rig.control.store.accounts.suspend(rig.control.alice.id, false);
  const { serialNumber } = new X509Certificate(certificate);
  await rig.control.call({ path: `/v1/client-certificates/${serialNumber}/revoke`, json: {} });
  assert.equal((await rig.renew()).document['code'], 'certificate_revoked');
  await rig.hold(await rig.issue());
  Object.assign(rig.control.settings, { clientCertificates: 'none' });
  const off = await rig.renew();
  assert.deepEqual([off.status, off.document['code']], [403, 'certificate_required']);
});

const DAY_MS = 86_400_000;

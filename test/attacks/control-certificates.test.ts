// THREATS "Certificates" at the control API: whose certificate opens what, on both ways to it. Each defence
// here is one that somebody without an API key stands before.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createClientAuthority } from '../support/client-authority.ts';
import {
  startCertificateRig,
  WAYS,
  type CertificateRig,
  type ControlCall,
  type Pair,
} from '../support/control-certificates.ts';
import { until } from '../support/until.ts';

const ACCOUNT = { path: '/v1/account' } as const;

describe('control.client_certificates: optional', () => {
  let rig: CertificateRig;
  before(async () => {
    rig = await startCertificateRig('optional');
  });
  after(() => rig[Symbol.asyncDispose]());

  const codeOf = async (call: ControlCall) => (await rig.call(call)).code;
  const revoke = (serial: string) =>
    rig.call({ path: `/v1/client-certificates/${serial}/revoke`, json: {}, apiKey: rig.keys.alice });

  for (const way of WAYS) {
    test(`${way}: a role opens what it opens, and a certificate without one opens nothing`, async () => {
      const admin = await rig.issue(rig.keys.alice);
      const shown = await rig.call({ ...ACCOUNT, way, pair: admin });
      assert.deepEqual([shown.status, shown.document['name']], [200, 'acme']);
      const member = await rig.issue(rig.keys.alice, { apiRole: 'member' });
      assert.equal((await rig.call({ path: '/v1/shares', way, pair: member })).status, 200);
      assert.equal(await codeOf({ ...ACCOUNT, way, pair: member }), 'not_allowed');
      const none = await rig.issue(rig.keys.alice, { apiRole: null });
      const refused = await rig.call({ path: '/v1/shares', way, pair: none });
      assert.deepEqual([refused.status, refused.code], [403, 'not_allowed']);
      // It is no hindrance beside a key.
      assert.equal((await rig.call({ ...ACCOUNT, way, pair: none, apiKey: rig.keys.alice })).status, 200);
      assert.equal(await codeOf({ ...ACCOUNT, way }), 'api_key_missing');
    });

    test(`${way}: another account's certificate is of that account (Tenancy)`, async () => {
      const theirs = await rig.issue(rig.keys.mallory);
      const own = await rig.issue(rig.keys.alice);
      const shown = await rig.call({ ...ACCOUNT, way, pair: theirs });
      assert.equal(shown.document['name'], 'mallory');
      const path = `/v1/client-certificates/${own.serial}`;
      assert.equal(await codeOf({ path, way, pair: theirs }), 'certificate_unknown');
      assert.equal(
        await codeOf({ path: `${path}/revoke`, json: {}, way, pair: theirs }),
        'certificate_unknown',
      );
      assert.equal((await rig.call({ path, way, pair: own })).document['state'], 'living');
    });

    test(`${way}: an authority of the same name is another (keys count, not names)`, async () => {
      const { items } = (await rig.call({ path: '/v1/account-ca', apiKey: rig.keys.alice })).document as {
        items: { certificate: string }[];
      };
      assert.ok(items[0]);
      const name = /CN ?= ?([^\n]+)/.exec(subjectOf(items[0].certificate))?.[1] ?? '';
      const impostor = createClientAuthority('acc_other', { name, organization: 'acme' });
      assert.equal(subjectOf(impostor.certificate), subjectOf(items[0].certificate));
      assert.equal(await codeOf({ ...ACCOUNT, way, pair: impostor.leaf() }), 'certificate_foreign');
      // With itself in the chain, the handshake of TLS 1.2 may fail before anybody could be told: the log
      // says so.
      const leaf = impostor.leaf({ namesKey: false });
      const pair = { ...leaf, certificate: leaf.certificate + impostor.certificate };
      const lines = () =>
        readFileSync(rig.service.logFile, 'utf8').split('Cannot finish a TLS handshake').length;
      const former = lines();
      const seen = await codeOf({ ...ACCOUNT, way, pair, tls: { maxVersion: 'TLSv1.2' } }).catch(() => null);
      if (seen !== 'certificate_foreign') await until(() => lines() > former);
    });

    test(`${way}: a revoked certificate opens nothing, on open and on resumed connections`, async () => {
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const pair = await rig.issue(rig.keys.alice);
        const agent = new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 });
        const open = { ...ACCOUNT, way, pair, tls: { agent, maxVersion } };
        const first = await rig.call({ ...ACCOUNT, way, pair, tls: { maxVersion } });
        assert.ok(first.session);
        const resume = { maxVersion, session: first.session };
        const resumed = await rig.call({ ...ACCOUNT, way, pair, tls: resume });
        assert.deepEqual([resumed.status, resumed.reused], [200, true]);
        assert.equal((await rig.call(open)).status, 200);
        assert.equal((await revoke(pair.serial)).status, 200);
        assert.equal(await codeOf(open), 'certificate_revoked');
        const late = await rig.call({ ...ACCOUNT, way, pair, tls: resume });
        assert.deepEqual([late.reused, late.code], [true, 'certificate_revoked']);
        agent.destroy();
      }
    });

    test(`${way}: a certificate is never more than whoever allowed it`, async () => {
      const made = await rig.call({
        path: '/v1/api-keys',
        json: { name: `maker-${way}`, role: 'admin' },
        apiKey: rig.keys.alice,
      });
      const pair = await rig.issue(String(made.document['key']));
      assert.equal((await rig.call({ ...ACCOUNT, way, pair })).status, 200);
      await rig.call({ path: `/v1/api-keys/maker-${way}`, method: 'DELETE', apiKey: rig.keys.alice });
      assert.equal(await codeOf({ ...ACCOUNT, way, pair }), 'not_allowed');
      assert.equal(
        await codeOf({ path: '/v1/client-certificates/renew', json: {}, way, pair }),
        'not_allowed',
      );
      // One that calls with a certificate gives none a role.
      const admin = await rig.issue(rig.keys.alice);
      const json = { name: 'x', commonName: 'x', apiRole: 'member' };
      const passed = await rig.call({ path: '/v1/certificate-request-tokens', json, way, pair: admin });
      assert.deepEqual([passed.status, passed.code], [403, 'not_allowed']);
      const key = await rig.call({ path: '/v1/api-keys', json: { name: `kept-${way}` }, way, pair: admin });
      assert.deepEqual([key.status, key.code], [403, 'not_allowed']);
    });

    test(`${way}: nobody but the gateway says which certificate there was (header smuggling)`, async () => {
      const { serial } = await rig.issue(rig.keys.alice);
      const path = `/v1/client-certificates/${serial}`;
      const { document } = await rig.call({ path, apiKey: rig.keys.alice });
      const value = `${'A'.repeat(43)} ${String(document['caId'])} ${String(document['fingerprint'])}`;
      for (const name of ['client-cert-inside', 'Client_Cert_Inside', 'CLIENT-CERT.INSIDE'])
        for (const said of [value, value.slice(44), ` ${value.slice(43)}`])
          assert.equal(await codeOf({ ...ACCOUNT, way, headers: { [name]: said } }), 'api_key_missing');
      // Beside a certificate of one's own, too.
      const theirs = await rig.issue(rig.keys.mallory);
      const smuggled = { 'client-cert-inside': value };
      for (const headers of [smuggled, { ...smuggled, connection: 'client-cert-inside' }]) {
        const both = await rig.call({ ...ACCOUNT, way, pair: theirs, headers });
        assert.equal(both.document['name'], 'mallory');
      }
    });

    test(`${way}: pages of other sites do not call with a browser's certificate (Sibling shares)`, async () => {
      const pair = await rig.issue(rig.keys.alice);
      for (const headers of [
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site' },
        { origin: 'https://evil.share.localhost' },
        { origin: 'null' },
      ])
        assert.equal(await codeOf({ ...ACCOUNT, way, pair, headers }), 'foreign_origin');
      const own = { 'sec-fetch-site': 'none' };
      assert.equal((await rig.call({ ...ACCOUNT, way, pair, headers: own })).status, 200);
    });

    test(`${way}: whoever holds no key of a certificate does not bring it`, async () => {
      const { certificate } = await rig.issue(rig.keys.alice);
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const key = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
      const pair: Pair = { certificate, key };
      await assert.rejects(rig.call({ ...ACCOUNT, way, pair }));
    });
  }

  test('a certificate that the handshake of a share brought is nothing to the control API', async () => {
    const pair = await rig.issue(rig.keys.alice);
    const { status, code } = await rig.call({ ...ACCOUNT, pair, tls: { servername: 'x.share.localhost' } });
    assert.deepEqual([status, code], [421, 'misdirected']);
  });
});

describe('control.client_certificates: required', () => {
  let rig: CertificateRig;
  before(async () => {
    rig = await startCertificateRig('required');
  });
  after(() => rig[Symbol.asyncDispose]());

  for (const way of WAYS)
    test(`${way}: no key counts without a certificate of its account; what is public needs none`, async () => {
      const apiKey = rig.keys.alice;
      const bare = await rig.call({ ...ACCOUNT, way, apiKey });
      assert.deepEqual([bare.status, bare.code], [403, 'certificate_required']);
      const theirs = await rig.issue(rig.keys.mallory);
      const stolen = await rig.call({ ...ACCOUNT, way, apiKey, pair: theirs });
      assert.deepEqual([stolen.status, stolen.code], [403, 'certificate_foreign']);
      const plain = await rig.issue(apiKey, { apiRole: null });
      assert.equal((await rig.call({ ...ACCOUNT, way, apiKey, pair: plain })).status, 200);
      assert.equal((await rig.call({ ...ACCOUNT, way, pair: plain })).code, 'not_allowed');
      const admin = await rig.issue(apiKey);
      const { document } = await rig.call({ ...ACCOUNT, way, pair: admin });
      assert.equal(document['name'], 'acme');
      const id = String(document['id']);
      for (const path of ['/openapi.json', `/pki/${id}/ca.pem`, `/pki/${id}/crl.der`, '/redeem'])
        assert.equal((await rig.call({ path, way })).status, 200, path);
    });

  test('metrics and health answer as ever', async () => {
    const answer = await fetch(`http://127.0.0.1:${rig.service.ports.metrics}/healthz`);
    assert.equal(answer.status, 200);
    await answer.arrayBuffer();
  });
});

function subjectOf(certificate: string): string {
  return new X509Certificate(certificate).subject;
}

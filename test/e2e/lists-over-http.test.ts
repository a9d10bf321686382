// Revocation lists over plain HTTP, where certificates say they are, on a service that ends TLS.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr, withFiles } from '../support/openssl.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let origin: string;
before(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  service = await startTestService({
    tls: true,
    sections: { pki: { bind_address: `127.0.0.1:${port}`, public_url: origin } },
  });
});
after(() => service.close());

test('a certificate names its revocation list over plain HTTP, and a strict verifier finds it there (RFC 5280 section 8)', async () => {
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const { token } = await service.client.certificates.createToken({
    name: 'laptop',
    commonName: 'ann',
  });
  const { certificate, chain, serial } = await service.client.certificates.redeem({ token, csr });
  const shown = openssl(['x509', '-noout', '-ext', 'crlDistributionPoints'], certificate).toString();
  const url = /URI:(\S+)/.exec(shown)?.[1] ?? '';
  assert.ok(url.startsWith(`${origin}/pki/acc_`), shown);
  const verdict = async () => {
    const list = await fetch(url);
    assert.deepEqual([list.status, list.headers.get('content-type')], [200, 'application/pkix-crl']);
    const crl = Buffer.from(await list.arrayBuffer());
    return withFiles({ 'ca.pem': chain, 'leaf.pem': certificate, 'crl.der': crl }, (path) => {
      openssl(['crl', '-inform', 'DER', '-in', path('crl.der'), '-out', path('crl.pem')]);
      const strict = ['-x509_strict', '-purpose', 'sslclient', '-crl_check', '-CAfile', path('ca.pem')];
      try {
        return openssl(['verify', ...strict, '-CRLfile', path('crl.pem'), path('leaf.pem')]).toString();
      } catch (error) {
        return String((error as { readonly stderr?: Buffer }).stderr);
      }
    });
  };
  assert.match(await verdict(), /: OK\n$/);
  assert.equal(new X509Certificate(certificate).serialNumber, serial);
  await service.client.certificates.revoke(serial, { reason: 'superseded' });
  assert.match(await verdict(), /certificate revoked/);
});

test('over plain HTTP there are revocation lists, and nothing else: no authority, no API, no page', async () => {
  const { bundleUrl, crlUrl } = await service.client.certificates.authorities();
  assert.ok(crlUrl.startsWith(origin) && !bundleUrl.startsWith(origin));
  const account = /acc_[\w-]+/.exec(crlUrl)?.[0] ?? '';
  const rows = [
    ['GET', `/pki/${account}/crl.der`, 200],
    ['HEAD', `/pki/${account}/crl.pem`, 200],
    ['GET', `/pki/${account}/ca.pem`, 404],
    ['POST', `/pki/${account}/crl.der`, 405],
    ['GET', `/pki/../v1/account`, 404],
    ['GET', `/pki/${account}/crl.der/../../../v1/account`, 404],
    ['GET', `/pki/${account}/%2e%2e/crl.der`, 404],
    ['GET', '/v1/account', 404],
    ['GET', '/openapi.json', 404],
    ['GET', '/console/', 404],
    ['GET', '/', 404],
  ] as const;
  for (const [method, path, status] of rows)
    assert.equal(await statusOf(method, path), status, `${method} ${path}`);
});

/** The target as it is written: `fetch` would take it apart. */
async function statusOf(method: string, path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { authorization: `Bearer ${service.apiKey}` };
  request(`${origin}/`, { method, path, headers, agent: false }, (response) => {
    text(response).then(() => resolve(response.statusCode ?? 0), reject);
  })
    .on('error', reject)
    .end();
  return promise;
}

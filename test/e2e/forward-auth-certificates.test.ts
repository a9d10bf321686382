// docs/how-to/forward-auth.md, "Client certificates", with real proxies: each ends TLS, asks for the client's
// certificate, and passes it on.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { programOf, REAL_PROXIES } from '../support/asking-proxy.ts';
import { type BehindRig, startBehind } from '../support/behind-rig.ts';
import { createClientAuthority } from '../support/client-authority.ts';
import type { Echo } from '../support/echo-backend.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { eventually } from '../support/serve-process.ts';
import { newId } from '../../src/domain/id.ts';

type Pair = { readonly certificate: string; readonly key: string };

/** What the guide says to change in each example. `authority`: a file with the account's CA certificate. */
const CHANGES = {
  nginx: (authority: string, file: string) =>
    file
      .replaceAll(/X-SSL-Client-Cert "";/g, 'X-SSL-Client-Cert $ssl_client_escaped_cert;')
      .replace('server_name app.', `ssl_verify_client optional_no_ca; # ${authority}\n    server_name app.`),
  caddy: (_authority: string, file: string) =>
    file
      .replace(/(\ttls .*share\.key)\n/, '$1 {\n\t\tclient_auth {\n\t\t\tmode request\n\t\t}\n\t}\n')
      .replace('# @certificate', '@certificate')
      .replace('# request_header @certificate', 'request_header @certificate'),
  haproxy: (authority: string, file: string) =>
    file
      .replace('alpn h2', `verify optional ca-file ${authority} ca-ignore-err all crt-ignore-err all alpn h2`)
      .replace('-- asked["x-ssl', 'asked["x-ssl'),
  traefik: (_authority: string, file: string) =>
    file
      .replace(
        /^tls:\n/m,
        'tls:\n  options: { default: { clientAuth: { clientAuthType: RequestClientCert } } }\n',
      )
      .replace(/^ +X-Forwarded-Tls-Client-Cert: ''\n/m, '')
      .replace('[question-secret, ask-doorward', '[question-secret, pass-certificate, ask-doorward')
      .replace(
        '    no-overrides:',
        '    pass-certificate: { passTLSClientCert: { pem: true } }\n    no-overrides:',
      ),
  envoy: (authority: string, file: string) =>
    file
      .replace(
        /( +)tls_certificates:\n/,
        `$1validation_context: { trusted_ca: { filename: ${authority} }, trust_chain_verification: ACCEPT_UNTRUSTED }\n$&`,
      )
      .replace(
        'forward_client_cert_details: SANITIZE',
        'forward_client_cert_details: SANITIZE_SET\n                set_current_client_cert_details: { cert: true }',
      )
      .replace(
        '- exact: x-forwarded-for',
        '- exact: x-forwarded-for\n                          - exact: x-forwarded-client-cert',
      ),
} as const;

for (const proxy of REAL_PROXIES)
  describe(
    `${proxy} passes certificates on`,
    { skip: programOf(proxy) === null ? `${proxy} is not installed` : false },
    () => {
      let rig: BehindRig;
      before(async () => {
        rig = await startBehind(proxy, {
          clientCertificates: true,
          share: { clientCertificate: { required: true, subject: 'build-*' } },
          prepare: async (service) => {
            const { items: authorities } = await service.client.certificates.authorities();
            const file = join(service.folder, 'account-ca.pem');
            writeFileSync(file, authorities.map(({ certificate }) => certificate).join('\n'));
            return (config) => CHANGES[proxy](file, config);
          },
        });
      });
      after(() => rig?.close());

      test(`${proxy}: the account's certificate lets in, and is told of; once revoked it does not`, async () => {
        const { key, csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
        const { certificates } = rig.service.client;
        const { token } = await certificates.createToken({ name: 'build', commonName: 'build-1' });
        const { certificate, serial } = await certificates.redeem({ token, csr });
        const { status, body } = await ask({ certificate, key });
        assert.equal(status, 200, body);
        const { headers } = JSON.parse(body) as Echo;
        assert.equal(headers['svc-auth-cert-serial'], serial);
        assert.equal(headers['svc-auth-cert-subject'], 'CN=build-1');
        assert.doesNotMatch(JSON.stringify(headers), /client-cert/i);
        await certificates.revoke(serial, { reason: 'key_compromise' });
        await eventually('it counts no more', async () => (await ask({ certificate, key })).status === 403);
      });

      test(`${proxy}: no certificate, one that a visitor writes, and one of another authority let nobody in`, async () => {
        const stranger = createClientAuthority(newId('acc')).leaf({ commonName: 'build-1' });
        const { certificate } = stranger;
        const seen = rig.backend.seen.length;
        assert.equal((await ask(null)).status, 403);
        assert.equal((await ask(stranger)).status, 403);
        for (const written of [
          encodeURIComponent(certificate),
          certificate.replaceAll(/-----.*-----|\n/g, ''),
        ]) {
          const answer = await ask(null, {
            'x-ssl-client-cert': written,
            'X-SSL-Client-Cert': written,
            x_ssl_client_cert: written,
          });
          assert.equal(answer.status, 403);
          assert.match(answer.body, /certificate_required/);
        }
        assert.equal(rig.backend.seen.length, seen);
      });

      async function ask(pair: Pair | null, headers: Readonly<Record<string, string>> = {}) {
        const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
        const agent = new Agent({
          ca: rig.ca,
          servername: 'app.share.localhost',
          ...(pair === null ? {} : { cert: pair.certificate, key: pair.key }),
        });
        const host = `app.share.localhost:${rig.port}`;
        const call = request(
          { host: '127.0.0.1', port: rig.port, agent, headers: { host, ...headers } },
          (response) => {
            text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
          },
        );
        call.on('error', reject);
        call.end();
        const answer = await promise;
        agent.destroy();
        return answer;
      }
    },
  );

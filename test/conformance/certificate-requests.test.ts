// Requests from everybody's tools become certificates that everybody's tools take (contract 1.7, DESIGN
// "Issuing"): each kind of key from openssl, GnuTLS, Node and a browser, redeemed, and judged by OpenSSL,
// Python's and Go's own parsers.

import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { AccountId } from '../../src/domain/id.ts';
import { authoritiesOf } from '../../src/pki/authority.ts';
import { redeem } from '../../src/pki/redeem.ts';
import { createRevocationLists } from '../../src/pki/revocation-list.ts';
import type { AccountCa, KeptCertificate } from '../../src/store/certificates/certificate.ts';
import { pem } from '../../src/x509/pem.ts';
import { openssl, withFiles } from '../support/openssl.ts';
import { addToken, testPki, verifyClient, type TestPki } from '../support/pki.ts';
import {
  gnutlsRequest,
  KEY_NAMES,
  type KeyName,
  NO_CERTTOOL,
  nodeRequest,
  opensslRequest,
  type RequestBrowser,
  startRequestBrowser,
} from '../support/request-makers.ts';
import { SECOND_OPINIONS } from '../support/second-opinions.ts';
import { addAccount, openTestStore, type TestStore } from '../support/store.ts';

let store: TestStore;
let pki: TestPki;
let accountId: AccountId;
let ca: AccountCa;
const issued: { readonly name: string; readonly key: KeyName; readonly certificate: KeptCertificate }[] = [];

before(async () => {
  store = await openTestStore();
  pki = testPki(store);
  accountId = await addAccount(store, 'corp');
  const [first] = await authoritiesOf(pki.deps, accountId);
  assert.ok(first);
  ca = first;
});
after(() => store.dispose());

for (const key of KEY_NAMES) {
  test(`a request with ${key} from openssl becomes a client’s certificate`, async () => {
    await redeemed('openssl', key, opensslRequest(key));
  });

  test(
    `a request with ${key} from GnuTLS becomes a client’s certificate`,
    { skip: NO_CERTTOOL },
    async () => {
      await redeemed('gnutls', key, gnutlsRequest(key));
    },
  );

  test(`a request with ${key} from Node becomes a client’s certificate`, async () => {
    await redeemed('node', key, await nodeRequest(key));
  });
}

test('requests with RSA and EC keys that WebCrypto made in Chromium become certificates of clients', async () => {
  const browser: RequestBrowser = await startRequestBrowser();
  try {
    for (const key of ['RSA-2048', 'P-256', 'P-384'] as const)
      await redeemed('chromium', key, await browser.request(key));
  } finally {
    await browser.close();
  }
});

for (const { name, skip, ask } of SECOND_OPINIONS) {
  test(
    `${name} reads in all of them what was issued, and nothing else (DESIGN "Issuing")`,
    { skip },
    async () => {
      const [revoked] = issued;
      assert.ok(revoked);
      const of = {
        accountId,
        chosen: { id: revoked.certificate.id },
        reason: 'superseded',
        by: 'operator',
      } as const;
      await store.certificates.revoke({ ...of, at: pki.clock.time });
      const files = Object.fromEntries(
        issued.map((each) => [`leaf-${each.name}.pem`, textOf(each.certificate)]),
      );
      const found = withFiles({ ...files, 'ca.pem': caText(), 'crl.pem': await crlText() }, (path) =>
        ask(path('.')),
      );
      for (const { name: leaf, key, certificate } of issued)
        assert.deepEqual(
          found[`leaf-${leaf}`],
          {
            version: 3,
            subject: 'CN=ann,OU=Sales,O=Corp',
            serial: certificate.serial,
            notBefore: certificate.notBefore / 1000,
            notAfter: certificate.notAfter / 1000,
            key,
            ca: false,
            usages: ['digital_signature'],
            clientAuthOnly: true,
            emails: ['ann@corp.example'],
            extensions: [
              '2.5.29.14',
              '2.5.29.15',
              '2.5.29.17',
              '2.5.29.19',
              '2.5.29.31',
              '2.5.29.35',
              '2.5.29.37',
            ],
            critical: ['2.5.29.15', '2.5.29.19'],
            revoked: certificate.id === revoked.certificate.id,
          },
          leaf,
        );
    },
  );
}

/** Redeems the request, and has OpenSSL judge what came out, on the command line and in Node. */
async function redeemed(maker: string, key: KeyName, csr: string): Promise<void> {
  const { certificate } = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  issued.push({ name: `${maker}-${key}`, key, certificate });
  const files = { certificate: textOf(certificate), ca: caText(), crl: await crlText() };
  assert.match(verifyClient(files), /: OK\n$/);
  const read = new X509Certificate(certificate.der);
  assert.ok(read.checkIssued(new X509Certificate(ca.certificate)));
  assert.ok(read.verify(new X509Certificate(ca.certificate).publicKey));
  const asked = createPublicKey(openssl(['req', '-noout', '-pubkey'], csr).toString());
  assert.ok(read.publicKey.equals(asked), 'the key is the request’s');
}

function textOf({ der }: KeptCertificate): string {
  return pem('CERTIFICATE', der);
}

function caText(): string {
  return pem('CERTIFICATE', ca.certificate);
}

async function crlText(): Promise<string> {
  return pem('X509 CRL', (await createRevocationLists(pki.deps)(ca)).der);
}

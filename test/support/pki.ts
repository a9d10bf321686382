// Certificates in tests: tokens as an admin makes them, a clock that the test moves, and openssl to judge
// what came out.

import { newCertificateRequestToken } from '../../src/domain/certificate-request-token.ts';
import type { CertificateSubject } from '../../src/domain/certificate.ts';
import { type AccountId, newId } from '../../src/domain/id.ts';
import { secretHash } from '../../src/domain/secret.ts';
import type { RedeemDeps } from '../../src/pki/redeem.ts';
import type { RevocationListDeps } from '../../src/pki/revocation-list.ts';
import type { CertificateRequestToken } from '../../src/store/certificates/certificate.ts';
import type { Store } from '../../src/store/store.ts';
import { openssl, withFiles } from './openssl.ts';

export const TEST_SUBJECT: CertificateSubject = {
  commonName: 'ann',
  organization: 'Corp',
  organizationalUnit: 'Sales',
  emailAddress: 'ann@corp.example',
};

export type TestPki = {
  readonly deps: RedeemDeps & RevocationListDeps & { readonly store: Pick<Store, 'apiKeys'> };
  readonly clock: { time: number };
};

export function testPki(store: Store): TestPki {
  const clock = { time: Date.now() };
  return {
    clock,
    deps: {
      store,
      now: () => clock.time,
      crlUrl: (ca) => `https://control.example/pki/${ca.id}`,
      isMakerLoggedIn: () => Promise.resolve(true),
    },
  };
}

/** Makes a token as the account's first API key does; answers its text. */
export async function addToken(
  { deps, clock }: TestPki,
  accountId: AccountId,
  over: Partial<CertificateRequestToken> = {},
): Promise<string> {
  const secret = newCertificateRequestToken();
  const { usedAt: _used, certificateId: _certificate, ...input } = over;
  const [maker] = (await deps.store.apiKeys.list(accountId, { after: null, limit: 1 })).rows;
  const token = {
    id: newId('crq'),
    accountId,
    name: 'laptop',
    subject: TEST_SUBJECT,
    validityMs: 30 * 86_400_000,
    apiRole: null,
    renewableMs: null,
    createdAt: clock.time,
    createdBy: `api-key:${maker?.id}`,
    expiresAt: clock.time + 3_600_000,
    ...input,
  };
  await deps.store.certificateRequestTokens.create(token, secretHash(secret));
  return secret.reveal();
}

/** What `openssl verify` says of a certificate, strictly, for a client, with its revocation list. */
export function verifyClient(
  pem: { certificate: string; ca: string; crl: string },
  atMs: number = Date.now(),
): string {
  return withFiles({ 'leaf.pem': pem.certificate, 'ca.pem': pem.ca, 'crl.pem': pem.crl }, (path) => {
    const checks = [
      '-x509_strict',
      '-purpose',
      'sslclient',
      '-crl_check',
      '-attime',
      String(Math.floor(atMs / 1000)),
    ];
    try {
      const trust = ['-CAfile', path('ca.pem'), '-CRLfile', path('crl.pem')];
      return openssl(['verify', ...checks, ...trust, path('leaf.pem')]).toString();
    } catch (error) {
      return String((error as { readonly stderr?: Buffer }).stderr);
    }
  });
}

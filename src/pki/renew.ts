// A certificate that is still good becomes one that says the same (DESIGN 1, "renew"): its name, subject,
// role and validity are those that were allowed, within the account's rules of today. Kept before it is
// answered; should the answer be lost, the same key gets the same one again for ten minutes.

import { X509Certificate } from 'node:crypto';
import { policyFaults } from '../domain/certificate.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { AccountCa, KeptCertificate } from '../store/certificates/certificate.ts';
import { KeyRefused, parseSubjectKey, type SubjectKey } from '../x509/public-key.ts';
import { authoritiesOf, issuingAuthority } from './authority.ts';
import { makeCertificate } from './issue.ts';
import { csrRefused, FETCHABLE_MS, readCsr, type RedeemDeps, requireRenewable } from './redeem.ts';

export type Renewed = {
  readonly certificate: KeptCertificate;
  readonly ca: AccountCa;
  /** It was renewed before with this key, and is answered once more. */
  readonly again: boolean;
};

/**
 * `held` is living. With its own key unless a CSR is given. Throws `csr_refused`, `policy_violation`,
 * `certificate_revoked` when that happened meanwhile, `rate_limited` after too many, and `limit_reached`.
 */
export async function renew(deps: RedeemDeps, held: KeptCertificate, csr: string | null): Promise<Renewed> {
  const key = csr === null ? ownKey(held) : readCsr(csr, CSR_HINT);
  const { policy } = await deps.store.cas.policy(held.accountId);
  const validityMs = Math.min(held.validityMs, policy.maxValidityMs ?? held.validityMs);
  const [fault] = policyFaults(policy, { subject: held.subject, validityMs });
  if (fault !== undefined)
    throw new ServiceError(
      'policy_violation',
      `Cannot renew the certificate: the certificate policy changed (${fault.path}: ${fault.message})`,
      { hint: 'Ask an admin for a token that follows the policy.' },
    );
  const createdAt = deps.now();
  const mostMs = requireRenewable(policy, held) - createdAt;
  const authority = await issuingAuthority(deps, held.accountId);
  const made = await makeCertificate(authority, key, {
    name: held.name,
    subject: held.subject,
    validityMs: Math.min(validityMs, mostMs),
    crlUrl: deps.crlUrl(authority.ca),
    apiRole: held.apiRole,
    allowedBy: held.allowedBy,
    // The token's line: it counts towards how many there may be at once.
    tokenId: held.tokenId,
    renewedFrom: held.id,
    createdAt,
    lineSince: held.lineSince,
    renewableMs: held.renewableMs,
  });
  // The rules of later may allow again what was allowed at first.
  const input = { ...made, validityMs: held.validityMs };
  const kept = await deps.store.certificates.renew(
    input,
    createdAt - FETCHABLE_MS,
    deps.mostCertificates?.(),
  );
  if (kept === null)
    throw new ServiceError('certificate_revoked', 'Cannot renew the certificate: it was revoked');
  if (kept.id === made.id) return { certificate: kept, ca: authority.ca, again: false };
  const cas = await authoritiesOf(deps, held.accountId);
  const ca = cas.find(({ id }) => id === kept.caId);
  if (ca === undefined)
    throw new ServiceError(
      'internal',
      'Cannot return the renewed certificate: its certificate authority was deleted',
    );
  return { certificate: kept, ca, again: true };
}

/** What was certified once may be refused today. */
function ownKey({ der }: KeptCertificate): SubjectKey {
  const spki = new X509Certificate(der).publicKey.export({ format: 'der', type: 'spki' });
  try {
    return parseSubjectKey(spki);
  } catch (error) {
    if (error instanceof KeyRefused) throw csrRefused(error.message, NEW_KEY_HINT);
    throw error;
  }
}

const CSR_HINT = 'Correct the request and send it again.';
const NEW_KEY_HINT = 'Renew with a new key: doorward cert renew --new-key.';

// People's own certificates with what can be done about each, by the rules of the account that gave it.

import { HOLDER } from '../../domain/actor.ts';
import type { AccountId } from '../../domain/id.ts';
import type { CertificatePolicy } from '../../domain/certificate.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { OwnCertificate } from '../../store/people/own-table.ts';
import type { ControlDeps, Me } from '../control-deps.ts';
import type { Standing } from './view.ts';

export type Standings = (own: OwnCertificate) => Standing;

/** `others`: all of the person's, among which those are that took another's place. */
export async function standingsOf(
  { store, now }: ControlDeps,
  others: readonly OwnCertificate[],
): Promise<Standings> {
  const at = now();
  const policies = new Map<AccountId, CertificatePolicy>();
  for (const { certificate } of others) {
    const { accountId } = certificate;
    if (!policies.has(accountId)) policies.set(accountId, (await store.cas.policy(accountId)).policy);
  }
  const replaced = new Set(
    others
      .filter(({ certificate }) => certificate.revokedAt === null && certificate.notAfter > at)
      .map(({ certificate }) => certificate.renewedFrom),
  );
  return ({ certificate }) => {
    const policy = policies.get(certificate.accountId);
    if (policy === undefined)
      throw new TypeError('Cannot look up the policy: the certificate is not one of these');
    return { policy, now: at, isRenewed: replaced.has(certificate.id) };
  };
}

/** Throws `certificate_unknown`, whether it is nobody's or another's. */
export async function requireOwnCertificate(
  { store }: ControlDeps,
  me: Me,
  id: string,
): Promise<OwnCertificate> {
  const own = await store.own.certificate(me, id);
  if (own !== null) return own;
  throw new ServiceError(
    'certificate_unknown',
    `Cannot find certificate "${id}": you have no certificate with that id`,
    {
      hint: 'Reload the page.',
    },
  );
}

/** Who did it, as the account's audit has it: whoever holds the certificate, and no member of the account. */
export function holderOf({ certificate }: OwnCertificate, { address, requestId }: Me) {
  return { accountId: certificate.accountId, actor: HOLDER, address, requestId };
}

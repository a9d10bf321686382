// Revoking, whichever way it was chosen what: written down, and known to the gates before it is answered.

import type { CertificateId } from '../domain/id.ts';
import type { RevocationReason } from '../domain/certificate.ts';
import type { KeptCertificate } from '../store/certificate.ts';
import { noteChanges } from './change-note.ts';
import { confirmLive } from './confirm-live.ts';
import type { Caller, ControlDeps } from './control-deps.ts';

export type ChosenCertificates = { readonly id: CertificateId } | { readonly emailAddress: string };

/** Answers those that were living until now. */
export async function revokeCertificates(
  deps: ControlDeps,
  caller: Caller,
  chosen: ChosenCertificates,
  reason: RevocationReason = 'unspecified',
): Promise<readonly KeptCertificate[]> {
  const { accountId, actor } = caller;
  const revoked = await deps.store.certificates.revoke({
    accountId,
    chosen,
    reason,
    by: actor,
    at: deps.now(),
  });
  if (revoked.length === 0) return revoked;
  const notes = revoked.map(
    ({ id, subject }) =>
      ({ kind: 'certificate.revoked', email: subject.emailAddress, reason: `${id} ${reason}` }) as const,
  );
  await noteChanges(deps, caller, notes);
  await confirmLive(deps);
  return revoked;
}

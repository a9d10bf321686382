// Revoking, whichever way it was chosen what: written down, and known to the gates before it is answered.
// With all of a person go the tokens that would make more of them.

import { actorText, type NamedActor } from '../../domain/actor.ts';
import type { CertificateId } from '../../domain/id.ts';
import type { RevocationReason } from '../../domain/certificate.ts';
import type { KeptCertificate } from '../../store/certificates/certificate.ts';
import { type ChangedBy, type ChangeNote, recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { ControlDeps } from '../control-deps.ts';
import { requestTokenDeleted } from './note.ts';

/** Who revokes: a caller, or the holder. */
type Revoker = ChangedBy & { readonly actor: NamedActor };

/** `within`: of its key, if that is compromised, what says this address alone. */
export type ChosenCertificates =
  | { readonly id: CertificateId; readonly within?: string }
  | { readonly emailAddress: string };

/** Answers those that were living until now. */
export async function revokeCertificates(
  deps: ControlDeps,
  caller: Revoker,
  chosen: ChosenCertificates,
  reason: RevocationReason = 'unspecified',
): Promise<readonly KeptCertificate[]> {
  const { accountId, actor } = caller;
  // First: what is redeemed at this moment is a certificate when those are looked for.
  if ('emailAddress' in chosen) await removeTokens(deps, caller, chosen.emailAddress);
  const of = { accountId, chosen, reason, by: actorText(actor), at: deps.now() };
  const revoked = await recordedChange(
    deps,
    caller,
    () => deps.store.certificates.revoke(of),
    (certificates) => certificates.map((certificate) => revocationNote(certificate, reason)),
  );
  if (revoked.length > 0) await confirmLive(deps);
  return revoked;
}

export function revocationNote({ id, subject }: KeptCertificate, reason: RevocationReason): ChangeNote {
  return { kind: 'certificate.revoked', email: subject.emailAddress, reason: `${id} ${reason}` };
}

async function removeTokens(deps: ControlDeps, caller: Revoker, emailAddress: string): Promise<void> {
  await recordedChange(
    deps,
    caller,
    () => deps.store.certificateRequestTokens.removeUnusedOf(caller.accountId, emailAddress),
    (removed) => removed.map(requestTokenDeleted),
  );
}

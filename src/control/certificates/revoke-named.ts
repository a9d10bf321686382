// Revoking a certificate that the store may not know, since it was issued after the backup that the store was
// restored from. One that it knows is revoked as any other. With a compromised key goes what else has that
// key, and the key gets nothing any more.

import { actorText } from '../../domain/actor.ts';
import { namedBySerial } from '../../domain/certificate-name.ts';
import type { RevocationReason } from '../../domain/certificate.ts';
import type { KeptCertificate } from '../../store/certificates/certificate.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { type CertificateName, namedCertificate } from './named.ts';
import { revocationNote, revokeCertificates } from './revoking.ts';

export type RevokedNamed = {
  readonly certificates: readonly KeptCertificate[];
  /** Of one that the store does not know. */
  readonly serials: readonly string[];
};

/** Answers what counted until now. Throws what `namedCertificate()` throws, and `limit_reached`. */
export async function revokeNamed(
  deps: ControlDeps,
  caller: Caller,
  name: CertificateName,
  reason: RevocationReason = 'unspecified',
): Promise<RevokedNamed> {
  const { store, now, settings } = deps;
  const { accountId } = caller;
  const by = actorText(caller.actor);
  const { serial, keyHash, unknown } = await namedCertificate(deps, accountId, name);
  const kept = await store.certificates.find(accountId, serial);
  if (kept !== null)
    return { certificates: await revokeCertificates(deps, caller, { id: kept.id }, reason), serials: [] };
  const at = now();
  const most = settings().limits.revokedSerials;
  const revoked = await recordedChange(
    deps,
    caller,
    async () => {
      const added = await store.revokedSerials.add({ accountId, serials: unknown, reason, by, at, most });
      const ofKey = { accountId, chosen: { keyHash: keyHash ?? '' }, reason, by, at };
      const isCompromise = reason === 'key_compromise' && keyHash !== null;
      const certificates = isCompromise ? await store.certificates.revoke(ofKey) : [];
      return { certificates, serials: added.length > 0 ? [serial] : [] };
    },
    ({ certificates, serials }) => [
      ...serials.map((each) => ({
        kind: 'certificate.revoked' as const,
        reason: `${namedBySerial(each)} ${reason}`,
      })),
      ...certificates.map((certificate) => revocationNote(certificate, reason)),
    ],
  );
  if (revoked.serials.length + revoked.certificates.length > 0) await confirmLive(deps);
  return revoked;
}

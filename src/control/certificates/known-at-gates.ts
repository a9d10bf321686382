// A certificate that is issued soon after a restore counts at the gates once they were told of it: its holder
// gets it then.

import type { Certificate } from '../../domain/certificate.ts';
import { isWithinGap } from '../../domain/certificate-trust.ts';
import { confirmLive } from '../confirm-live.ts';
import type { ControlDeps } from '../control-deps.ts';

/** Never throws: the certificate is issued, and the gates hear of it in the end. */
export async function knownAtGates(
  deps: Pick<ControlDeps, 'store' | 'now' | 'caughtUp' | 'log'>,
  { notBefore }: Pick<Certificate, 'notBefore'>,
): Promise<void> {
  try {
    const gaps = await deps.store.certificates.gaps(deps.now());
    if (isWithinGap(gaps, notBefore)) await confirmLive(deps);
  } catch (error) {
    deps.log.warn({ err: error }, 'Cannot confirm that the gateways know a new certificate');
  }
}

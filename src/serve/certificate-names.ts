// Gates know a certificate by its serial number alone. Before an event is written down, its actor becomes the id, as it is wherever else
// the certificate did something; beside the requests, with one look for many events.

import type { AuditEvent } from '../domain/audit-event.ts';
import { certificateActor, serialOfActor } from '../domain/certificate-name.ts';
import type { CertificateTable } from '../store/certificates/certificate.ts';

/** The same events, in the same order. One that the store does not know keeps its serial number. */
export async function nameCertificates(
  certificates: Pick<CertificateTable, 'withSerials'>,
  events: readonly AuditEvent[],
): Promise<readonly AuditEvent[]> {
  const serials = new Set(events.flatMap(({ actor }) => serialOfActor(actor) ?? []));
  if (serials.size === 0) return events;
  const known = await certificates.withSerials([...serials]);
  const bySerial = new Map(known.map((each) => [each.serial, each]));
  return events.map((event) => {
    const found = bySerial.get(serialOfActor(event.actor) ?? '');
    // What an account is told never says what another has.
    if (found === undefined || found.accountId !== event.accountId) return event;
    return { ...event, actor: certificateActor(found.id) };
  });
}

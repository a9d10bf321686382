// Gates know a certificate by its serial number alone. Before an event is written down, its actor becomes the
// id, as it is wherever else the certificate did something, and its person the one that the certificate is
// for; beside the requests, with one look for many events.

import { actorText, parseActor } from '../domain/actor.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { CertificateTable } from '../store/certificates/certificate.ts';

/** The same events, in the same order. One that the store does not know keeps its serial number. */
export async function nameCertificates(
  certificates: Pick<CertificateTable, 'withSerials'>,
  events: readonly AuditEvent[],
): Promise<readonly AuditEvent[]> {
  const serials = new Set(events.flatMap((event) => serialOf(event) ?? []));
  if (serials.size === 0) return events;
  const known = await certificates.withSerials([...serials]);
  const bySerial = new Map(known.map((each) => [each.serial, each]));
  return events.map((event) => {
    const found = bySerial.get(serialOf(event) ?? '');
    // What an account is told never says what another has.
    if (found === undefined || found.accountId !== event.accountId) return event;
    const actor = actorText({ kind: 'certificate', id: found.id });
    return { ...event, actor, email: event.email ?? found.email };
  });
}

/** Of a certificate that did it and is named by its serial number. */
function serialOf({ actor: text }: AuditEvent): string | null {
  const actor = parseActor(text);
  return actor?.kind === 'certificate-serial' ? actor.serial : null;
}

// One delivery: a POST of the audit event as JSON, signed. Arrived means an answer of 2xx; its body is not
// looked at.

import { type AuditEvent, toldEvent } from '../domain/audit-event.ts';
import type { DeliveryId } from '../domain/id.ts';
import type { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { OutboundFetch } from '../providers/dialler.ts';
import { webhookSignature } from './signature.ts';

export type Delivery = {
  readonly url: string;
  /** The present one first; those of before while it is rotated. */
  readonly secrets: readonly Secret[];
  /** The same for each try, so that the receiver can tell that it had it before. */
  readonly id: DeliveryId;
  readonly event: AuditEvent;
};

export type DeliveryResult =
  | { readonly delivered: true; readonly status: number }
  /** `reason` is public to the account. `status` is null when no answer came. */
  | { readonly delivered: false; readonly status: number | null; readonly reason: string };

/**
 * Never rejects. The dialler behind `fetch` has the limits: https, no redirects, 10 s, forbidden addresses.
 */
export async function deliver(
  fetch: OutboundFetch,
  { url, secrets, id, event }: Delivery,
  at: { readonly now: number; readonly signal: AbortSignal | null },
): Promise<DeliveryResult> {
  const body = JSON.stringify(toldEvent(event));
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'doorward-webhook',
        'svc-webhook-id': id,
        'svc-webhook-kind': event.kind,
        'svc-webhook-signature': webhookSignature(secrets, body, at.now),
      },
      body,
      signal: at.signal,
    });
    if (status >= 200 && status < 300) return { delivered: true, status };
    return { delivered: false, status, reason: `it answered ${status}` };
  } catch (error) {
    return { delivered: false, status: null, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof ServiceError ? error.message : 'it could not be called';
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON);
}

/** Enough to tell what to mend. */
const MAX_REASON = 200;

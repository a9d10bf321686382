// One delivery: a POST of the audit event as JSON, signed. Arrived means an answer of 2xx; what its body says
// changes nothing, and its beginning is shown to those who may see the webhook.

import { type AuditEvent, toldEvent } from '../domain/audit-event.ts';
import type { AuditKind } from '../domain/audit-kind.ts';
import type { DeliveryId } from '../domain/id.ts';
import type { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { OutboundFetch } from '../providers/dialler.ts';
import type { DeliveryAttempt } from '../store/webhooks/logged-delivery.ts';
import { shownAnswer } from './shown-answer.ts';
import { webhookSignature } from './signature.ts';

export type Delivery = {
  readonly url: string;
  /** The present one first; those of before while it is rotated. */
  readonly secrets: readonly Secret[];
  /** The same for each try, so that the receiver can tell that it had it before. */
  readonly id: DeliveryId;
  readonly kind: AuditKind;
  /** The body. */
  readonly payload: string;
  /** As `DeliveryAttempt.number`. */
  readonly number: number | null;
};

/** The same text each time, whoever delivers the event. */
export function payloadOf(event: AuditEvent): string {
  return JSON.stringify(toldEvent(event));
}

/**
 * Never rejects. The dialler behind `fetch` has the limits: https, no redirects, 10 s, forbidden addresses.
 */
export async function deliver(
  fetch: OutboundFetch,
  { url, secrets, id, kind, payload, number }: Delivery,
  at: { readonly now: number; readonly signal: AbortSignal | null },
): Promise<DeliveryAttempt> {
  const started = performance.now();
  const signature = webhookSignature(secrets, payload, at.now);
  const attempt = (came: Pick<DeliveryAttempt, 'status' | 'answer' | 'reason'>): DeliveryAttempt => ({
    number,
    at: at.now,
    durationMs: Math.round(performance.now() - started),
    origin: URL.parse(url)?.origin ?? '',
    ...came,
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'doorward-webhook',
        'svc-webhook-id': id,
        'svc-webhook-kind': kind,
        'svc-webhook-signature': signature,
      },
      body: payload,
      signal: at.signal,
    });
    const { status } = response;
    const answer = shownAnswer(new Uint8Array(await response.arrayBuffer()), secrets);
    const reason = status >= 200 && status < 300 ? null : `it answered ${status}`;
    return attempt({ status, answer, reason });
  } catch (error) {
    return attempt({ status: null, answer: null, reason: reasonOf(error) });
  }
}

function reasonOf(error: unknown): string {
  const text = error instanceof ServiceError ? error.message : 'it could not be called';
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_REASON);
}

/** Enough to tell what to mend. */
const MAX_REASON = 200;

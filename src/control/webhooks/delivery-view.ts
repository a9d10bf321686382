// Deliveries of a webhook's log as the API shows them.

import { timeOrNull, timeText } from '../time-text.ts';
import type {
  DeliveryAttempt,
  DeliveryDetail,
  LoggedDelivery,
} from '../../store/webhooks/logged-delivery.ts';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookTest,
} from '../../wire/webhook.ts';

export function deliveryObject({ id, eventId, kind, state, last, nextAt }: LoggedDelivery): WebhookDelivery {
  const { number, at, durationMs, status, reason } = last;
  return {
    id,
    eventId,
    kind,
    state,
    attemptedAt: timeText(at),
    attempt: number,
    durationMs,
    status,
    reason,
    nextAttemptAt: timeOrNull(nextAt),
  };
}

export function deliveryDetail(delivery: DeliveryDetail): WebhookDeliveryDetail {
  const { payload, attempts } = delivery;
  return { ...deliveryObject(delivery), payload, attempts: attempts.map(attemptObject) };
}

/** What came of an attempt by hand. */
export function deliveryResult({ status, reason }: DeliveryAttempt): WebhookTest {
  return { delivered: reason === null, status, reason };
}

function attemptObject({ number, at, ...rest }: DeliveryAttempt): WebhookAttempt {
  const { durationMs, origin, status, answer, reason } = rest;
  return { attempt: number, attemptedAt: timeText(at), durationMs, origin, status, answer, reason };
}

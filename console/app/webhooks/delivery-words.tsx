// Deliveries of a webhook in words.

import type { WebhookAttempt, WebhookDelivery } from '../../../src/wire/webhook.ts';
import { Badge, type Tone } from '../parts/badge.tsx';

export function DeliveryState({ state }: Pick<WebhookDelivery, 'state'>) {
  return <Badge tone={TONES[state]}>{state}</Badge>;
}

/** "500", or why there was no answer. */
export function resultText({ status, reason }: Pick<WebhookDelivery, 'status' | 'reason'>): string {
  return status === null ? (reason ?? '') : String(status);
}

/** Who made it: Doorward by itself counts them. */
export function attemptText({ attempt }: Pick<WebhookAttempt, 'attempt'>): string {
  return attempt === null ? 'By hand' : `Attempt ${attempt}`;
}

export function durationText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const TONES: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  delivered: 'good',
  retrying: 'warn',
  failed: 'bad',
};

// POST /v1/webhooks/{webhook}/rotate-secret: another secret signs from now on, and is shown this once. Those
// of before sign too for a while, so that no delivery is refused before the receiver has the new one. Whoever
// lost the answer rotates again.

import { parseDuration } from '../../domain/duration.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { MOST_FORMER_SECRETS } from '../../store/webhooks/webhook.ts';
import { newWebhookSecret } from '../../webhooks/signature.ts';
import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { etagOf } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { madeWebhookSchema, webhookParamsSchema, webhookRotationSchema } from './schema.ts';
import { webhookJudge, webhookObject, webhookVersion } from './view.ts';
import { findWebhook, unknownWebhook } from './find.ts';
import { webhookSecretRotated } from './note.ts';

export const rotateWebhookSecret = operation({
  needs: 'webhooks.write',
  route: {
    method: 'post',
    path: '/v1/webhooks/{webhook}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Creates a new secret. During the overlap, each delivery carries a signature with the new secret and one with each previous secret.',
    parameters: [ifMatchParameter],
    request: {
      params: webhookParamsSchema,
      body: { required: true, content: { 'application/json': { schema: webhookRotationSchema } } },
    },
    responses: {
      200: {
        description: 'The webhook, with its new secret.',
        headers: etagHeader,
        content: { 'application/json': { schema: madeWebhookSchema } },
      },
      ...problems(
        'webhook_unknown',
        'precondition_failed',
        'limit_reached',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').webhook;
    const overlap = c.req.valid('json').overlap ?? DEFAULT_OVERLAP;
    const { webhooks } = deps.store;
    const rotation = { secret: newWebhookSecret(), overlapMs: overlapMsOf(overlap) };
    const { id } = await findWebhook(webhooks, caller.accountId, named);
    const judge = webhookJudge(c.req.header('if-match'));
    const after = await recordedChange(
      deps,
      caller,
      () => webhooks.rotate(caller.accountId, id, rotation, judge),
      (rotated) => rotated !== null && rotated !== 'full' && webhookSecretRotated({ id }, overlap),
    );
    if (after === null) throw unknownWebhook(named);
    if (after === 'full') throw tooManySecrets();
    c.header('etag', etagOf(webhookVersion(after)));
    const answer = { ...webhookObject(after), secret: rotation.secret.reveal() };
    return c.json(madeWebhookSchema.parse(answer), 200);
  },
});

/** Throws `validation_failed`. */
export function overlapMsOf(text: string): number {
  if (text === 'none') return 0;
  let overlapMs = Infinity;
  try {
    overlapMs = parseDuration(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
  }
  if (overlapMs <= MAX_OVERLAP_MS) return overlapMs;
  throw inputRefused([{ path: 'overlap', message: 'use a duration of at most 7d, such as 24h, or none' }]);
}

export function tooManySecrets(): ServiceError {
  return new ServiceError(
    'limit_reached',
    `Cannot rotate the secret: ${MOST_FORMER_SECRETS} previous secrets still sign deliveries`,
    {
      hint: 'Wait until the first of them expires, or rotate with the overlap "none", which ends them at once.',
    },
  );
}

export const DEFAULT_OVERLAP = '24h';
/** A receiver that needs longer would forget it. */
const MAX_OVERLAP_MS = 7 * 24 * 60 * 60 * 1000;

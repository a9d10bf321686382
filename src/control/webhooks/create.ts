// POST /v1/webhooks: has audit events posted somewhere, from the next one on. The secret is shown this once.

import { newId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { newWebhookSecret } from '../../webhooks/signature.ts';
import { etagHeader, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { madeWebhookSchema, newWebhookSchema } from './schema.ts';
import { parseWebhookUrl } from './url.ts';
import { webhookObject, webhookVersion } from './view.ts';
import { webhookCreated } from './note.ts';

export const createWebhook = operation({
  needs: 'webhooks.write',
  route: {
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Creates a webhook, which sends audit events of the account to a URL. The secret that signs deliveries is shown only once.',
    request: { body: { required: true, content: { 'application/json': { schema: newWebhookSchema } } } },
    responses: {
      201: {
        description: 'The webhook, with its secret.',
        headers: {
          ...etagHeader,
          Location: { description: 'URL of the new webhook.', schema: { type: 'string' } },
        },
        content: { 'application/json': { schema: madeWebhookSchema } },
      },
      ...problems('target_refused', 'too_many_webhooks', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const { url, name, kinds } = c.req.valid('json');
    const caller = c.get('caller');
    const webhook = {
      id: newId('whk'),
      accountId: caller.accountId,
      name: name ?? null,
      url: await parseWebhookUrl(url, { ...deps.settings(), accountId: caller.accountId }),
      kinds: [...new Set(kinds)],
      enabled: true,
      createdAt: deps.now(),
    };
    const secret = newWebhookSecret();
    const { webhooks: most } = deps.settings().limits;
    const isMade = await recordedChange(
      deps,
      caller,
      () => deps.store.webhooks.create({ webhook, secret, most }),
      (made) => made && webhookCreated(webhook),
    );
    if (!isMade) throw tooManyWebhooks(most);
    const listed = { ...webhook, ...UNTRIED };
    c.header('etag', etagOf(webhookVersion(listed)));
    c.header('location', `/v1/webhooks/${webhook.id}`);
    return c.json(madeWebhookSchema.parse({ ...webhookObject(listed), secret: secret.reveal() }), 201);
  },
});

export function tooManyWebhooks(most: number): ServiceError {
  return new ServiceError(
    'too_many_webhooks',
    `Cannot create a webhook: the account has ${most}, which is the limit`,
    { hint: 'Delete a webhook that you no longer need, or ask the operator to raise limits.webhooks.' },
  );
}

const UNTRIED = {
  failingSince: null,
  lastFailure: null,
  lastDeliveredAt: null,
  waiting: 0,
  secretRotatedAt: null,
  formerSecretsUntil: null,
};

// PATCH /v1/webhooks/{webhook}: changes what is given, leaves the rest. It is how one that was switched off
// for failing is switched on again.

import type { WebhookSettings } from '../../store/webhooks/webhook.ts';
import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { webhookChangesSchema, webhookParamsSchema, webhookSchema } from './schema.ts';
import { parseWebhookUrl } from './url.ts';
import { webhookJudge, webhookObject, webhookVersion } from './view.ts';
import { findWebhook, unknownWebhook } from './find.ts';
import { webhookModified } from './note.ts';
import { remembering } from '../remembering.ts';

export const modifyWebhook = operation({
  needs: 'webhooks.write',
  route: {
    method: 'patch',
    path: '/v1/webhooks/{webhook}',
    operationId: 'modifyWebhook',
    summary: 'Change a webhook',
    description:
      'Changes the fields that are sent. New kinds apply to events from now on. Pending deliveries go to the new URL. The secret stays the same.',
    parameters: [ifMatchParameter],
    request: {
      params: webhookParamsSchema,
      body: { required: true, content: { 'application/json': { schema: webhookChangesSchema } } },
    },
    responses: {
      200: {
        description: 'The changed webhook.',
        headers: etagHeader,
        content: { 'application/json': { schema: webhookSchema } },
      },
      ...problems(
        'webhook_unknown',
        'precondition_failed',
        'target_refused',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const named = c.req.valid('param').webhook;
    const { url, name, kinds, enabled } = c.req.valid('json');
    const { webhooks } = deps.store;
    const { id } = await findWebhook(webhooks, caller.accountId, named);
    const by = { ...deps.settings(), accountId: caller.accountId };
    const settings: WebhookSettings = {
      ...(name === undefined ? {} : { name }),
      ...(url === undefined ? {} : { url: await parseWebhookUrl(url, by) }),
      ...(kinds === undefined ? {} : { kinds: [...new Set(kinds)] }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    const { judge, judged } = remembering(webhookJudge(c.req.header('if-match')));
    const what = whatChanges(settings);
    const after = await recordedChange(
      deps,
      caller,
      () => webhooks.modify(caller.accountId, id, settings, judge),
      (modified) => modified && what !== '' && webhookModified(judged(), modified, what),
    );
    if (after === null) throw unknownWebhook(named);
    c.header('etag', etagOf(webhookVersion(after)));
    return c.json(webhookSchema.parse(webhookObject(after)), 200);
  },
});

/** Which fields were given, and which way it was switched: `url, kinds, disabled`. */
export function whatChanges({ enabled, ...others }: WebhookSettings): string {
  const switched = enabled === undefined ? [] : [enabled ? 'enabled' : 'disabled'];
  return [...Object.keys(others), ...switched].join(', ');
}

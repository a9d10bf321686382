// GET /v1/shares/{share}/activity: requests, refusals and durations of one share, in steps of time.

import { z } from '@hono/zod-openapi';
import { STATUS_CLASSES } from '../../domain/activity.ts';
import { quantileMs } from '../../domain/duration-buckets.ts';
import type { ShareActivityStep } from '../../store/activity/query.ts';
import type { ShareActivityObject, ShareActivityStepObject } from '../../wire/share-activity.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { hoursQuery, type Span, spanOf } from '../records/overview-steps.ts';
import { timeText } from '../time-text.ts';
import { findShare } from './find.ts';
import { shareParamsSchema } from './schema.ts';

const count = z.int().min(0);
const milliseconds = z.number().min(0).nullable();

const activitySchema = z
  .object({
    stepSeconds: count.openapi({ description: 'One minute for up to 3 hours, else one hour.' }),
    steps: z
      .array(
        z.object({
          at: z.iso.datetime(),
          requests: count.openapi({ description: 'Requests that finished in this step.' }),
          answered: count.openapi({ description: 'Requests that the backend answered.' }),
          refused: count.openapi({ description: 'Requests that the gateway refused.' }),
          faulted: count.openapi({
            description: 'Requests where the backend was unreachable, too slow, or aborted.',
          }),
          statuses: z
            .object({ none: count, '1xx': count, '2xx': count, '3xx': count, '4xx': count, '5xx': count })
            .openapi({ description: 'Responses by class of status. `none`: cut before a response.' }),
          p50Ms: milliseconds.openapi({
            description:
              'Half of the answered requests took at most this long, to within a factor of two. Null if there were none.',
          }),
          p95Ms: milliseconds.openapi({
            description: 'Most of the answered requests (95%) took at most this long.',
          }),
        }),
      )
      .openapi({ description: 'All steps, the oldest first. The last one is the current step.' }),
  })
  .openapi('ShareActivity') satisfies z.ZodType<ShareActivityObject>;

export const showShareActivity = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/shares/{share}/activity',
    operationId: 'showShareActivity',
    summary: 'Show the activity of a share',
    description: 'Shows how many requests a share got, how they ended, and how long they took.',
    request: {
      params: shareParamsSchema,
      query: hoursQuery('How far back requests are counted.'),
    },
    responses: {
      200: { description: 'The activity.', content: { 'application/json': { schema: activitySchema } } },
      ...problems('share_unknown'),
    },
  },
  make:
    ({ store, now }) =>
    async (c) => {
      const { accountId } = c.get('caller');
      const { id: shareId } = await findShare(store.shares, accountId, c.req.valid('param').share);
      const span = spanOf(c.req.valid('query').hours, now(), STEPS);
      const { from, stepMs } = span;
      const kept = await store.activity.ofShare({ accountId, shareId, from, stepMs });
      return c.json(activitySchema.parse({ stepSeconds: stepMs / 1_000, steps: everyStep(span, kept) }), 200);
    },
});

function everyStep(span: Span, kept: readonly ShareActivityStep[]): readonly ShareActivityStepObject[] {
  const byTime = new Map(kept.map((step) => [step.at, step]));
  return Array.from({ length: span.steps }, (_, index) => {
    const at = span.from + index * span.stepMs;
    return stepObject(at, byTime.get(at));
  });
}

function stepObject(at: number, step: ShareActivityStep | undefined): ShareActivityStepObject {
  const { requests = 0, answered = 0, refused = 0, faulted = 0, statuses = [], durations = [] } = step ?? {};
  const byClass = STATUS_CLASSES.map((name, index) => [name, statuses[index] ?? 0]);
  return {
    at: timeText(at),
    requests,
    answered,
    refused,
    faulted,
    statuses: Object.fromEntries(byClass) as ShareActivityStepObject['statuses'],
    p50Ms: quantileMs(durations, 0.5),
    p95Ms: quantileMs(durations, 0.95),
  };
}

/** Minutes of a share are kept for some hours, its hours for a week. */
const STEPS = [{ upToHours: 3, stepMs: 60_000 }] as const;

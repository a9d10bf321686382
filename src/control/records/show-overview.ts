// GET /v1/overview: the caller's account in figures. Each is counted by an index, so that one who looks on
// costs little, however much the account has.

import { z } from '@hono/zod-openapi';
import type { OverviewObject } from '../../wire/overview.ts';
import type { ShareStates } from '../../store/shares/states.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { timeOrNull } from '../time-text.ts';
import { everyStep, hoursQuery, spanOf } from './overview-steps.ts';

const count = z.int().min(0);

const overviewSchema = z
  .object({
    shares: z.object({
      total: count,
      up: count,
      off: count,
      waiting: count.openapi({ description: 'Enabled shares that no agent serves.' }),
      failing: count.openapi({
        description:
          'Enabled shares whose backend did not answer the last requests, or accepts no connection. At most 1,000 are counted.',
      }),
      down: z
        .array(
          z.object({
            name: z.string(),
            why: z.enum(['failing', 'waiting']),
            at: z.iso.datetime().nullable().openapi({
              description: 'The minute of the last error, or when an agent was last seen. Null for never.',
            }),
          }),
        )
        .openapi({ description: 'Waiting and failing shares, at most 20 of each, sorted by name.' }),
    }),
    requests: z.object({
      stepSeconds: count.openapi({
        description: 'One minute for up to 3 hours, ten minutes for up to 48 hours, then one hour.',
      }),
      steps: z
        .array(
          z.object({
            at: z.iso.datetime(),
            requests: count.openapi({ description: 'Requests that finished in this step.' }),
            refused: count.openapi({ description: 'Requests that the gateway refused.' }),
            faulted: count.openapi({
              description: 'Requests where the backend was unreachable, too slow, or aborted.',
            }),
          }),
        )
        .openapi({ description: 'All steps, the oldest first. The last one is the current step.' }),
      lastAt: z.iso.datetime().nullable().openapi({
        description: 'The minute or hour of the last request. Null if there was none in the last week.',
      }),
    }),
    logins: z
      .array(z.object({ provider: z.string(), succeeded: count, refused: count, failed: count }))
      .openapi({
        description: 'Logins at shares since the first step. The provider with the most logins comes first.',
      }),
    providers: z.object({ usable: count }).openapi({
      description: 'Providers that shares can use: those of the configuration and of the account.',
    }),
    sessions: z.object({ active: count }),
    certificates: z.object({
      active: count,
      expiringSoon: count.openapi({ description: 'Active certificates that expire within `soonDays`.' }),
      soonDays: count,
    }),
  })
  .openapi('Overview') satisfies z.ZodType<OverviewObject>;

export const showOverview = operation({
  needs: 'overview.read',
  route: {
    method: 'get',
    path: '/v1/overview',
    operationId: 'showOverview',
    summary: 'Show the overview',
    description:
      'Shows the data of the console’s overview: shares, requests, sessions, recent logins and certificates.',
    request: {
      query: hoursQuery('How far back requests and logins are counted.'),
    },
    responses: {
      200: { description: 'The figures.', content: { 'application/json': { schema: overviewSchema } } },
      ...problems(),
    },
  },
  make:
    ({ store, settings, now }) =>
    async (c) => {
      const { accountId } = c.get('caller');
      const at = now();
      const span = spanOf(c.req.valid('query').hours, at);
      const [shares, kept, lastAt, logins, active, certificates] = await Promise.all([
        store.shares.states(accountId, at),
        store.activity.ofAccount({ accountId, from: span.from, stepMs: span.stepMs }),
        store.activity.lastAt(accountId),
        store.audit.logins(accountId, span.from),
        store.sessions.countActive(accountId),
        store.certificates.count(accountId, { now: at, soon: at + SOON_DAYS * DAY_MS }),
      ]);
      const overview: OverviewObject = {
        shares: sharesOf(shares),
        requests: {
          stepSeconds: span.stepMs / 1_000,
          steps: everyStep(span, kept),
          lastAt: timeOrNull(lastAt),
        },
        logins,
        providers: { usable: settings().providersOf(accountId).length },
        sessions: { active },
        certificates: {
          active: certificates.living,
          expiringSoon: certificates.endingSoon,
          soonDays: SOON_DAYS,
        },
      };
      return c.json(overviewSchema.parse(overview), 200);
    },
});

function sharesOf({ total, off, waiting, failing, down }: ShareStates): OverviewObject['shares'] {
  return {
    total,
    up: Math.max(0, total - off - waiting - failing),
    off,
    waiting,
    failing,
    down: down.map(({ name, why, at }) => ({
      name,
      why,
      at: timeOrNull(at),
    })),
  };
}

const DAY_MS = 24 * 60 * 60_000;
/**
 * The first reminder that everybody gets, however long the certificate was good for:
 * `domain/certificate-notice.ts`.
 */
const SOON_DAYS = 7;

// GET /v1/status: how the process that answers does, and how much the caller's account has. It reads the
// store, so an answer says that the store is there too.

import { z } from '@hono/zod-openapi';
import type { StatusObject } from '../../wire/status.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { timeText } from '../time-text.ts';

const count = z.int().min(0);

const statusSchema = z
  .object({
    version: z.string(),
    startedAt: z.iso.datetime().openapi({ description: 'When the process that answers started.' }),
    workers: z.object({ running: count, configured: count }).openapi({
      description:
        'The workers of the process that answers. Without a running one, its shares do not answer.',
    }),
    shares: z.object({ total: count, enabled: count }).openapi({ description: 'Shares of the account.' }),
    sessions: z.object({ active: count }).openapi({ description: 'Active sessions of the account.' }),
  })
  .openapi('Status') satisfies z.ZodType<StatusObject>;

export const showStatus = operation({
  needs: 'status.read',
  route: {
    method: 'get',
    path: '/v1/status',
    operationId: 'showStatus',
    summary: 'Show the status',
    description:
      'Shows the version, start time and workers of the gateway that answers, and how many shares and sessions the account has.',
    responses: {
      200: { description: 'The status.', content: { 'application/json': { schema: statusSchema } } },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const { accountId } = c.get('caller');
    const { shares, sessions } = deps.store;
    const [ofShares, active] = await Promise.all([shares.count(accountId), sessions.countActive(accountId)]);
    const { version, startedAt, workers } = deps.status();
    const status: StatusObject = {
      version,
      startedAt: timeText(startedAt),
      workers,
      shares: ofShares,
      sessions: { active },
    };
    return c.json(statusSchema.parse(status), 200);
  },
});

// GET /v1/status: how the process that answers does, and how much the caller's account has. It reads the
// store, so an answer says that the store is there too.

import { z } from '@hono/zod-openapi';
import type { StatusObject } from '../../wire/status.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';

const count = z.int().min(0);

const statusSchema = z
  .object({
    version: z.string(),
    startedAt: z.iso.datetime().openapi({ description: 'Of the process that answers.' }),
    workers: z
      .object({ running: count, configured: count })
      .openapi({ description: 'Of that process. Without a running one no share answers there.' }),
    shares: z.object({ total: count, enabled: count }).openapi({ description: 'Of the account.' }),
    sessions: z
      .object({ active: count })
      .openapi({ description: 'Of the account, neither ended nor expired.' }),
  })
  .openapi('Status') satisfies z.ZodType<StatusObject>;

export const showStatus = operation({
  needs: 'status.read',
  route: {
    method: 'get',
    path: '/v1/status',
    operationId: 'showStatus',
    summary: 'Show how the service does',
    description:
      'Version, start and workers of the gateway that answers, and how many shares and sessions the account has.',
    responses: {
      200: { description: 'How it does.', content: { 'application/json': { schema: statusSchema } } },
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
      startedAt: new Date(startedAt).toISOString(),
      workers,
      shares: ofShares,
      sessions: { active },
    };
    return c.json(statusSchema.parse(status), 200);
  },
});

// GET /v1/sessions: who is logged in to the account's shares, and who was, newest first.

import { z } from '@hono/zod-openapi';
import type { SessionObject, SessionPage } from '../../wire/session.ts';
import { SESSION_ORDERS } from '../../domain/list-orders.ts';
import { problems } from '../answers.ts';
import { createCallBudget } from '../call-budget.ts';
import { operation } from '../operation.ts';
import { inputRefused } from '../input-fault.ts';
import { refusedSessions } from './refused.ts';
import { sessionObject } from './view.ts';
import { sortedPage, sortedPageSchema, totalOf, totalSchema } from '../sorting.ts';
import { findShare, shareIdNamed } from '../shares/find.ts';

const text = z.string().max(300);

const sessionQuerySchema = sortedPageSchema(SESSION_ORDERS).extend({
  email: text
    .optional()
    .openapi({ description: 'Only sessions of this email address, in upper or lower case.' }),
  q: text.optional().openapi({
    description: 'Only sessions whose email address contains this text, in upper or lower case.',
  }),
  share: text
    .optional()
    .openapi({ description: 'Only sessions of this share: its name, or its id if it was deleted.' }),
  provider: text.optional().openapi({ description: 'Only sessions of this provider.' }),
  ip: text.optional().openapi({ description: 'Only sessions that logged in from this network address.' }),
  state: z
    .enum(['active', 'ended'])
    .optional()
    .openapi({ description: '`ended`: sessions that ended or expired in the last week.' }),
  admission: z.enum(['refused']).optional().openapi({
    description:
      'Only active sessions that the rules of the share no longer let in. Requires `share`, and no other filter or order.',
  }),
});

const sessionSchema = z
  .object({
    id: z.string(),
    email: z.string(),
    provider: z.string(),
    shareId: z.string(),
    share: z
      .string()
      .nullable()
      .openapi({ description: 'The name of the share. Null if the share was deleted.' }),
    ip: z.string().nullable().openapi({ description: 'The network address of the login.' }),
    userAgent: z.string().nullable().openapi({
      description: 'The user agent at the login, cut at 256 characters.',
    }),
    createdAt: z.iso.datetime(),
    lastSeenAt: z.iso.datetime(),
    checkedAt: z.iso
      .datetime()
      .openapi({ description: 'When the login was last checked with the provider.' }),
    expiresAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    endReason: z.string().nullable(),
    active: z.boolean().openapi({ description: 'Whether the session is active: neither ended nor expired.' }),
    refusal: z.string().optional().openapi({
      description: 'Why the rules of the share no longer let the session in. Only with `admission=refused`.',
    }),
  })
  .openapi('Session') satisfies z.ZodType<SessionObject>;

const sessionPageSchema = z
  .object({ items: z.array(sessionSchema), nextCursor: z.string().nullable(), total: totalSchema })
  .openapi('SessionPage') satisfies z.ZodType<SessionPage>;

export const listSessions = operation({
  needs: 'sessions.read',
  route: {
    method: 'get',
    path: '/v1/sessions',
    operationId: 'listSessions',
    summary: 'List sessions',
    description:
      'Lists sessions, one page at a time: the newest first unless `sort` says otherwise. Filters: person, share, provider, network address, state, and whom the rules of a share no longer let in.',
    request: { query: sessionQuerySchema },
    responses: {
      200: {
        description:
          'A page of sessions. A filtered page can have few or no sessions and still a `nextCursor`.',
        content: { 'application/json': { schema: sessionPageSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make: (deps) => {
    const countJudged = createCallBudget(deps.now, {
      perMinute: () => JUDGED_PER_MINUTE,
      of: 'lists of refused sessions',
      hint: 'Read fewer pages per minute.',
    });
    return async (c) => {
      const query = c.req.valid('query');
      const { accountId } = c.get('caller');
      const { shares, sessions } = deps.store;
      const { sort, after, cursorAt } = sortedPage(SESSION_ORDERS, query);
      const { limit } = query;
      if (query.admission !== undefined) {
        const row = await findShare(shares, accountId, shareAlone(query));
        countJudged(accountId);
        const { refused, next } = await refusedSessions(deps, row, { after, limit });
        const items = refused.map(({ found, refusal }) => Object.assign(sessionObject(found), { refusal }));
        return c.json(sessionPageSchema.parse({ items, nextCursor: cursorAt(next) }), 200);
      }
      const search = {
        accountId,
        email: query.email ?? null,
        text: query.q ?? null,
        shareId: query.share === undefined ? null : await shareIdNamed(shares, accountId, query.share),
        providerName: query.provider ?? null,
        ip: query.ip ?? null,
        state: query.state ?? null,
        sort,
        after,
        limit,
      };
      const { sessions: found, next } = await sessions.list(search);
      const items = found.map(sessionObject);
      const nextCursor = cursorAt(next);
      const total = await totalOf({ after, next, count: items.length }, (most) =>
        sessions.countFound(search, most),
      );
      return c.json(sessionPageSchema.parse({ items, nextCursor, total }), 200);
    };
  },
});

type Query = z.infer<typeof sessionQuerySchema>;

/** Throws `validation_failed` where something else is asked for, too. */
function shareAlone({ share, email, q, provider, ip, state, sort }: Query): string {
  const others =
    [email, q, provider, ip].some((value) => value !== undefined) || state === 'ended' || sort !== undefined;
  if (share !== undefined && !others) return share;
  throw inputRefused([{ path: 'admission', message: 'give share, and no other filter or order' }]);
}

/** A page that shows them reads them now and then; each costs as much as some hundred requests. */
const JUDGED_PER_MINUTE = 60;

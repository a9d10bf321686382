// GET /v1/shares: the account's shares in the order that was asked for, a page at a time; those that a text,
// a provider or a state finds; with what goes on at each, where that is asked for.

import { problems } from '../answers.ts';
import { SHARE_ORDERS } from '../../domain/list-orders.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { sortedPage, totalOf } from '../sorting.ts';
import { ownershipOf } from './owner.ts';
import { sharePageSchema, shareQuerySchema } from './schema.ts';
import { shareObject } from './view.ts';
import { timeText } from '../time-text.ts';
import type { ShareFigures } from '../../store/shares/share.ts';
import type { ShareFiguresObject } from '../../wire/share.ts';

export const listShares = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/shares',
    operationId: 'listShares',
    summary: 'List shares',
    description: 'Lists shares, one page at a time. Filters: text, provider, owner, state.',
    request: { query: shareQuerySchema },
    responses: {
      200: {
        description:
          'A page of shares, sorted by name unless `sort` says otherwise. A filtered page can have few or no shares and still a `nextCursor`.',
        content: { 'application/json': { schema: sharePageSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const query = c.req.valid('query');
    const { q, provider, state, owner, include } = query;
    const limit = include === 'figures' ? Math.min(query.limit, MOST_WITH_FIGURES) : query.limit;
    const caller = c.get('caller');
    const { accountId } = caller;
    const { sort, after, cursorAt } = sortedPage(SHARE_ORDERS, query);
    const [{ shares: table }, now] = [deps.store, deps.now()];
    const filter = {
      text: q ?? null,
      provider: provider ?? null,
      state: state ?? null,
      owner: owner ?? null,
      now,
    };
    const { shares, next } = await table.list(accountId, { sort, after, limit, filter });
    const ids = shares.map(({ id }) => id);
    const figures = include === 'figures' ? await table.figures(accountId, ids, now) : null;
    const total = await totalOf({ after, next, count: shares.length }, (most) =>
      table.countFound(accountId, filter, most),
    );
    const isOwned = await ownershipOf(deps.store.members, caller, shares);
    const { shareBase } = deps.settings();
    const items = shares.map((row) =>
      Object.assign(shareObject(row, shareBase), {
        ownerIsMember: isOwned(row),
        etag: etagOf(row),
        figures: figures === null ? undefined : figuresObject(figures.get(row.id)),
      }),
    );
    return c.json(sharePageSchema.parse({ items, nextCursor: cursorAt(next), total }), 200);
  },
});

/** Of each some thousand sessions are counted: some tens of milliseconds on SQLite. */
const MOST_WITH_FIGURES = 50;

/** A share that came in between has none yet. */
function figuresObject(found: ShareFigures | undefined): ShareFiguresObject {
  const { requests = 0, sessions = 0, lastRequestAt = null } = found ?? {};
  return { requests, sessions, lastRequestAt: lastRequestAt === null ? null : timeText(lastRequestAt) };
}

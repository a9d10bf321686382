// GET /v1/hosts: the host names of their own that the account's shares have, a page at a time.

import { problems } from '../answers.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { hostObject, hostPageSchema, hostQuerySchema } from './schema.ts';
import { shareIdNamed } from '../shares/find.ts';

export const listHosts = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/hosts',
    operationId: 'listHosts',
    summary: 'List hosts',
    description: 'Lists claimed and verified hosts, one page at a time.',
    request: { query: hostQuerySchema },
    responses: {
      200: {
        description: 'A page of hosts, sorted by name.',
        content: { 'application/json': { schema: hostPageSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const { limit, cursor, share } = c.req.valid('query');
      const { accountId } = c.get('caller');
      // A host has more characters than a cursor's name.
      const after = readCursor(cursor);
      const rows = await store.hosts.list(accountId, {
        after: after === null ? null : Buffer.from(after, 'hex').toString('latin1'),
        limit: limit + 1,
        shareId: share === undefined ? null : await shareIdNamed(store.shares, accountId, share),
      });
      const page = pageOf(rows, limit, ({ host }) => Buffer.from(host).toString('hex'));
      return c.json(hostPageSchema.parse({ ...page, items: page.items.map(hostObject) }), 200);
    },
});

// GET /v1/auth-provider-names: what the providers are called that an account's shares can use, for those who
// may name one in a share and read of one in lists, and see nothing else of it.

import { problems } from '../answers.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { pageQuerySchema } from '../shares/schema.ts';
import { providersCalled } from './called.ts';
import { providerNamePageSchema } from './schema.ts';

export const listProviderNames = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/auth-provider-names',
    operationId: 'listAuthProviderNames',
    summary: 'List the names of providers',
    description:
      'Lists names and display names of the providers that shares can use, one page at a time: those of the configuration and those of the account.',
    request: { query: pageQuerySchema },
    responses: {
      200: {
        description: 'A page of names, sorted by name.',
        content: { 'application/json': { schema: providerNamePageSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => (c) => {
    const { limit, cursor } = c.req.valid('query');
    const after = readCursor(cursor) ?? '';
    const left = providersCalled(deps.settings(), c.get('caller').accountId)
      .filter(({ name }) => name > after)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const page = pageOf(left, limit, ({ name }) => name);
    return c.json(providerNamePageSchema.parse(page), 200);
  },
});

// GET /v1/auth-providers: the account's definitions by name, a page at a time, with the configuration's
// providers beside them.

import { definitionTypeOf } from '../../domain/provider-kinds.ts';
import { problems } from '../answers.ts';
import { shownAs } from '../console/console-settings.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { standings } from './findings.ts';
import { providerPageSchema } from './schema.ts';
import { providerObject, redirectUrlOf } from './view.ts';
import { pageQuerySchema } from '../shares/schema.ts';

export const listProviders = operation({
  needs: 'providers.read',
  route: {
    method: 'get',
    path: '/v1/auth-providers',
    operationId: 'listAuthProviders',
    summary: 'List providers',
    description:
      'Lists provider definitions, one page at a time, and the providers of the configuration that shares can use.',
    request: { query: pageQuerySchema },
    responses: {
      200: {
        description: 'A page of definitions, sorted by name.',
        content: { 'application/json': { schema: providerPageSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { accountId } = c.get('caller');
    const rows = await deps.store.providerDefinitions.list(accountId, {
      after: readCursor(cursor),
      limit: limit + 1,
    });
    const page = pageOf(rows, limit, (row) => row.name);
    const settings = deps.settings();
    const { endpointUrl, providersOf, console } = settings;
    const standingOf = await standings(deps.store, { accountId }, settings);
    const users = await deps.store.shares.countByProvider(accountId);
    const sharesOf = (name: string) => users.get(name) ?? 0;
    const answer = {
      ...page,
      items: page.items.map((row) => {
        const [shares, standing] = [sharesOf(row.name), standingOf(row.name, row)];
        return providerObject(row, { endpointUrl, shares, standing });
      }),
      configured: providersOf(accountId)
        .filter((provider) => provider.accountId === null)
        .map(({ name, type }) => {
          const { lastLoginAt, lastTest, lastTrial } = standingOf(name, null);
          const { displayName, icon } = shownAs(console.findProvider(name) ?? { name });
          const shares = sharesOf(name);
          return {
            name,
            displayName,
            icon,
            type: definitionTypeOf(type),
            shares,
            lastLoginAt,
            lastTest,
            lastTrial,
          };
        }),
      redirectUrlPattern: redirectUrlOf(endpointUrl, '{name}'),
    };
    return c.json(providerPageSchema.parse(answer), 200);
  },
});

// GET /v1/auth-providers: the account's definitions by name, a page at a time, and what the configuration has beside them.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import type { DefinitionType } from '../../domain/provider-definition.ts';
import type { ProviderType } from '../../domain/provider-ref.ts';
import { problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { pageOf, readCursor } from '../cursor.ts';
import { providerPageSchema } from '../provider-schema.ts';
import { providerObject } from '../provider-view.ts';
import { pageQuerySchema } from '../share-schema.ts';

export const listProvidersRoute = createRoute({
  method: 'get',
  path: '/v1/auth-providers',
  operationId: 'listAuthProviders',
  summary: 'List the providers that the account defines',
  ...needs('providers.read'),
  request: { query: pageQuerySchema },
  responses: {
    200: {
      description: 'A page of definitions by name.',
      content: { 'application/json': { schema: providerPageSchema } },
    },
    ...problems(),
  },
});

export function listProviders(deps: ControlDeps): RouteHandler<typeof listProvidersRoute, ControlEnv> {
  return async (c) => {
    const { limit, cursor } = c.req.valid('query');
    const { accountId } = c.get('caller');
    const rows = await deps.store.providerDefinitions.list(accountId, {
      after: readCursor(cursor),
      limit: limit + 1,
    });
    const page = pageOf(rows, limit, (row) => row.name);
    const { endpointUrl, providersOf } = deps.settings();
    const items = page.items.map((row) => providerObject(row, endpointUrl));
    const configured = providersOf(accountId)
      .filter((provider) => provider.accountId === null)
      .map(({ name, type }) => ({ name, type: DEFINITION_TYPE_OF[type] }));
    return c.json(providerPageSchema.parse({ ...page, items, configured }), 200);
  };
}

/** As definitions spell the types. */
const DEFINITION_TYPE_OF = { oidc: 'OIDC', google: 'GOOGLE', github: 'GITHUB' } as const satisfies Record<
  ProviderType,
  DefinitionType
>;

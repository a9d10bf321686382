// GET /v1/auth-providers/{provider}: one definition, without its secret.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { etagHeader, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { providerParamsSchema, providerSchema } from './schema.ts';
import { providerObject } from './view.ts';
import { findProvider, sharesUsing } from './find.ts';

export const showProviderRoute = createRoute({
  method: 'get',
  path: '/v1/auth-providers/{provider}',
  operationId: 'showAuthProvider',
  summary: 'Show a provider that the account defines',
  description: 'One provider definition, by name, without its client secret.',
  ...needs('providers.read'),
  request: { params: providerParamsSchema },
  responses: {
    200: {
      description: 'The definition.',
      headers: etagHeader,
      content: { 'application/json': { schema: providerSchema } },
    },
    ...problems('provider_unknown'),
  },
});

export function showProvider(deps: ControlDeps): RouteHandler<typeof showProviderRoute, ControlEnv> {
  return async (c) => {
    const name = c.req.valid('param').provider;
    const found = await findProvider(deps.store.providerDefinitions, c.get('caller').accountId, name);
    c.header('etag', etagOf(found));
    const { endpointUrl } = deps.settings();
    const shares = await sharesUsing(deps.store.shares, found);
    return c.json(providerSchema.parse(providerObject(found, { endpointUrl, shares })), 200);
  };
}

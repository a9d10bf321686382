// GET /v1/auth-providers/{provider}: one definition, without its secret.

import { etagHeader, problems } from '../answers.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { providerParamsSchema, providerSchema } from './schema.ts';
import { shownProvider } from './findings.ts';
import { findProvider } from './find.ts';

export const showProvider = operation({
  needs: 'providers.read',
  route: {
    method: 'get',
    path: '/v1/auth-providers/{provider}',
    operationId: 'showAuthProvider',
    summary: 'Show a provider definition',
    description: 'Shows one provider definition, by name, without its client secret.',
    request: { params: providerParamsSchema },
    responses: {
      200: {
        description: 'The definition.',
        headers: etagHeader,
        content: { 'application/json': { schema: providerSchema } },
      },
      ...problems('provider_unknown'),
    },
  },
  make: (deps) => async (c) => {
    const name = c.req.valid('param').provider;
    const found = await findProvider(deps.store.providerDefinitions, c.get('caller').accountId, name);
    c.header('etag', etagOf(found));
    return c.json(providerSchema.parse(await shownProvider(deps, found)), 200);
  },
});

// POST /v1/auth-providers/{provider}/test: examines a definition, whether a share uses it or not, or a
// provider of the configuration as far as accounts may know. Calls for a definition go through the account's
// own dialler; nothing is changed here or at the provider.

import { z } from '@hono/zod-openapi';
import { testFinding } from '../../domain/provider-finding.ts';
import { warns } from '../../domain/check.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { createTestBudget } from '../test-budget.ts';
import { providerParamsSchema } from './schema.ts';
import { providerTestSchema } from './try-schema.ts';
import { keepFinding, settingsMark } from './findings.ts';
import { unknownProvider } from './find.ts';

export const testProvider = operation({
  needs: 'providers.test',
  route: {
    method: 'post',
    path: '/v1/auth-providers/{provider}/test',
    operationId: 'testAuthProvider',
    summary: 'Test a provider',
    description:
      'Requests the provider’s metadata, its keys and its response to a login request, as a login does, and returns findings.',
    request: {
      params: providerParamsSchema,
      body: { required: true, content: { 'application/json': { schema: z.strictObject({}) } } },
    },
    responses: {
      200: {
        description:
          'The findings. If the provider cannot be used, `checks` says so, not the status. For a provider of the configuration, only what accounts can know.',
        content: { 'application/json': { schema: providerTestSchema } },
      },
      ...problems('provider_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => {
    const countTest = createTestBudget(deps.now);
    return async (c) => {
      const { accountId } = c.get('caller');
      const name = c.req.valid('param').provider;
      countTest(accountId);
      // What was made or changed at another gateway a moment ago is examined as it is now.
      await deps.caughtUp();
      const definition = await deps.store.providerDefinitions.find(accountId, name);
      const settings = deps.settings();
      // Of before: what changes meanwhile makes it out of date.
      const mark = settingsMark(definition, { name, accountId }, settings);
      const found = await settings.examineProvider(accountId, name);
      if (found === null) throw unknownProvider(name);
      const hidden = definition !== null && settings.isConfiguredProvider(name) ? [NAME_TAKEN] : [];
      const checks = [...hidden, ...found.checks];
      const made = { provider: name, kind: 'test', settings: mark } as const;
      await keepFinding(deps, c.get('caller'), { ...made, ...testFinding(checks) });
      return c.json(providerTestSchema.parse({ ...found, checks }), 200);
    };
  },
});

const NAME_TAKEN = warns(
  'name',
  'the configuration has a provider with this name, which takes precedence',
  'Create this definition again with another name.',
);

// PATCH /v1/auth-providers/{provider}: changes the definition. The next login uses it; sessions made at another identity
// source (issuer, client id or type) end.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import type { ProviderChanges } from '../../client/provider-object.ts';
import type { DefinitionConfig, ProviderDefinition } from '../../domain/provider-definition.ts';
import { Secret } from '../../domain/secret.ts';
import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { noteChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { parseProviderConfig } from '../provider-input.ts';
import { providerChangesSchema, providerParamsSchema, providerSchema } from '../provider-schema.ts';
import { providerObject } from '../provider-view.ts';
import { findProvider, sharesUsing, unknownProvider } from './find-provider.ts';

export const modifyProviderRoute = createRoute({
  method: 'patch',
  path: '/v1/auth-providers/{provider}',
  operationId: 'modifyAuthProvider',
  summary: 'Change a provider that the account defines',
  ...needs('providers.write'),
  parameters: [ifMatchParameter],
  request: {
    params: providerParamsSchema,
    body: { required: true, content: { 'application/json': { schema: providerChangesSchema } } },
  },
  responses: {
    200: {
      description: 'The definition as it is now. The next login uses it.',
      headers: etagHeader,
      content: { 'application/json': { schema: providerSchema } },
    },
    ...problems('provider_unknown', 'precondition_failed', 'body_too_large', 'unsupported_media_type'),
  },
});

export function modifyProvider(deps: ControlDeps): RouteHandler<typeof modifyProviderRoute, ControlEnv> {
  return async (c) => {
    const caller = c.get('caller');
    const before = await findProvider(
      deps.store.providerDefinitions,
      caller.accountId,
      c.req.valid('param').provider,
    );
    checkIfMatch(c.req.header('if-match'), before);
    const after = await modify(deps, before, c.req.valid('json'));
    await noteChange(deps, caller, { kind: 'provider.modified', provider: after.name });
    await confirmLive(deps);
    c.header('etag', etagOf(after));
    const { endpointUrl } = deps.settings();
    const shares = await sharesUsing(deps.store.shares, after);
    return c.json(providerSchema.parse(providerObject(after, { endpointUrl, shares })), 200);
  };
}

/** Written only onto the version that it was judged against. */
async function modify(
  deps: ControlDeps,
  before: ProviderDefinition,
  changes: ProviderChanges,
): Promise<ProviderDefinition> {
  const type = changes.type ?? before.type;
  if (type !== before.type && changes.config === undefined)
    throw inputRefused([{ path: 'config', message: 'another type needs a configuration of its own' }]);
  const config =
    changes.config === undefined
      ? before.config
      : await parseProviderConfig(type, changes.config, deps.settings());
  const secret = changes.config?.clientSecret;
  // A secret must not go anywhere but where it was given for: another address or client needs it again.
  if (changes.config !== undefined && secret === undefined && isOtherSource(before, { type, config }))
    throw inputRefused([
      { path: 'config.clientSecret', message: 'another issuer, address or client needs its own' },
    ]);
  const after = await deps.store.providerDefinitions.modify({
    accountId: before.accountId,
    name: before.name,
    expectedVersion: before.version,
    type,
    config,
    clientSecret: secret === undefined ? null : new Secret(secret),
    endsSessions: isOtherSource(before, { type, config }),
    at: deps.now(),
  });
  if (after === null) throw unknownProvider(before.name);
  return after;
}

type Source = { readonly type: ProviderDefinition['type']; readonly config: DefinitionConfig };

function isOtherSource(before: Source, after: Source): boolean {
  return JSON.stringify(sourceOf(before)) !== JSON.stringify(sourceOf(after));
}

function sourceOf({ type, config }: Source): readonly (string | null)[] {
  return [type, config.clientId, config.issuerUrl, config.baseUrl, config.apiUrl];
}

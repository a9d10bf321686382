// POST /v1/auth-providers: defines a provider (contract 2.4). Logins can use it when the answer is sent.

import { newId } from '../../domain/id.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';
import { etagHeader, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { NO_STANDING } from './findings.ts';
import { givenCredential } from './credential.ts';
import { parseNewProviderName, parseProviderConfig } from './input.ts';
import { newProviderSchema, providerSchema } from './schema.ts';
import { providerObject } from './view.ts';
import { providerCreated } from './note.ts';

export const createProvider = operation({
  needs: 'providers.write',
  route: {
    method: 'post',
    path: '/v1/auth-providers',
    operationId: 'createAuthProvider',
    summary: 'Define a provider',
    description:
      'Creates a provider definition for the shares of the account. The client secret or private key is stored encrypted and never shown.',
    request: { body: { required: true, content: { 'application/json': { schema: newProviderSchema } } } },
    responses: {
      201: {
        description: 'The definition, without its secret or private key.',
        headers: {
          ...etagHeader,
          Location: { description: 'URL of the new definition.', schema: { type: 'string' } },
        },
        content: { 'application/json': { schema: providerSchema } },
      },
      ...problems('name_taken', 'limit_reached', 'name_reserved', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const { name, type, config } = c.req.valid('json');
    const settings = deps.settings();
    const caller = c.get('caller');
    const at = deps.now();
    const definition: ProviderDefinition = {
      id: newId('prv'),
      accountId: caller.accountId,
      name: parseNewProviderName(name, settings.isConfiguredProvider),
      type,
      config: await parseProviderConfig(type, config, { ...settings, accountId: caller.accountId }),
      version: 1,
      createdAt: at,
      updatedAt: at,
    };
    const credential = givenCredential(config);
    if (credential === null) throw new Error('the schema lets no definition in without a credential');
    await recordedChange(
      deps,
      caller,
      () => deps.store.providerDefinitions.create({ definition, ...credential }, settings.limits.providers),
      () => providerCreated(definition, credential),
    );
    await confirmLive(deps);
    c.header('location', `/v1/auth-providers/${name}`);
    c.header('etag', etagOf(definition));
    return c.json(
      providerSchema.parse(
        providerObject(definition, {
          endpointUrl: settings.endpointUrl,
          shares: 0,
          standing: NO_STANDING,
        }),
      ),
      201,
    );
  },
});

// DELETE /v1/auth-providers/{provider}: refused while shares use it. Nobody else can take the name.

import { ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { checkIfMatch } from '../etag.ts';
import { operation } from '../operation.ts';
import { providerParamsSchema } from './schema.ts';
import { findProvider, unknownProvider } from './find.ts';
import { providerDeleted } from './note.ts';
import { remembering } from '../remembering.ts';
import type { ProviderDefinition } from '../../domain/provider-definition.ts';

export const deleteProvider = operation({
  needs: 'providers.write',
  route: {
    method: 'delete',
    path: '/v1/auth-providers/{provider}',
    operationId: 'deleteAuthProvider',
    summary: 'Delete a provider definition',
    description:
      'Deletes the definition and ends its sessions. A share that uses it refuses everyone until it has another provider.',
    parameters: [ifMatchParameter],
    request: { params: providerParamsSchema },
    responses: {
      204: { description: 'The definition is deleted.' },
      ...problems('provider_unknown', 'provider_in_use', 'precondition_failed'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const { providerDefinitions } = deps.store;
    const definition = await findProvider(
      providerDefinitions,
      caller.accountId,
      c.req.valid('param').provider,
    );
    const ifMatch = c.req.header('if-match');
    const { judge, judged } = remembering((found: ProviderDefinition) => checkIfMatch(ifMatch, found));
    const removed = await recordedChange(
      deps,
      caller,
      () => providerDefinitions.remove(caller.accountId, definition.id, judge),
      (isRemoved) => isRemoved && providerDeleted(judged()),
    );
    if (!removed) throw unknownProvider(definition.name);
    await confirmLive(deps);
    return c.body(null, 204);
  },
});

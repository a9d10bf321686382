// GET /v1/state: everything that `POST /v1/apply` takes, as far as the caller may see it.

import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { stateSchema } from './schema.ts';
import { readableSections } from './sections.ts';
import { readSnapshot } from './snapshot.ts';
import { stateOf } from './view.ts';

export const showState = operation({
  needs: 'shares.read',
  route: {
    method: 'get',
    path: '/v1/state',
    operationId: 'showState',
    summary: 'Show the state of the account',
    description:
      'Shows providers, shares, hosts, service tokens, webhooks and the certificate policy, without secrets, ephemeral shares and expired tokens. Sections that the caller cannot read are left out.',
    responses: {
      200: {
        description: 'The state, which `applyState` takes.',
        content: { 'application/json': { schema: stateSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const sections = readableSections(caller);
    const snapshot = await readSnapshot(deps.store, caller.accountId, sections);
    return c.json(stateSchema.parse(stateOf(snapshot, sections, deps.now())), 200);
  },
});

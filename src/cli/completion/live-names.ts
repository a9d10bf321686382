// Names that only the service knows, a page of them at most: nobody reads more below their prompt.

import type { Client } from '../../client/client.ts';
import type { Candidate, LiveKind } from './place.ts';

export function liveNames(client: Client, of: LiveKind): Promise<readonly Candidate[]> {
  return LISTS[of](client);
}

const LISTS: Readonly<Record<LiveKind, (client: Client) => Promise<readonly Candidate[]>>> = {
  share: async ({ shares }) => named((await shares.list(PAGE)).items, ({ name, url }) => [name, url]),
  provider: async ({ providers }) =>
    named((await providers.list(PAGE)).items, ({ name, type }) => [name, type]),
  member: async ({ members }) => named((await members.list(PAGE)).items, ({ email, role }) => [email, role]),
  'api-key': async ({ apiKeys }) => named((await apiKeys.list(PAGE)).items, ({ name, role }) => [name, role]),
  webhook: async ({ webhooks }) => named((await webhooks.list(PAGE)).items, ({ id, url }) => [id, url]),
  host: async ({ hosts }) => named((await hosts.list(PAGE)).items, ({ host }) => [host, '']),
  cert: async ({ certificates }) =>
    named((await certificates.list(PAGE)).items, ({ id, commonName }) => [id, commonName]),
  token: async ({ serviceTokens }) =>
    named((await serviceTokens.list(PAGE)).items, ({ name, shares }) => [name, shares.join(', ')]),
  'cert token': async ({ certificates }) =>
    named((await certificates.listTokens(PAGE)).items, ({ id, name }) => [id, name]),
  access: async ({ accessRequests }) =>
    named((await accessRequests.list(PAGE)).items, ({ id, email, share, shareId }) => [
      id,
      `${email}, ${share ?? shareId}`,
    ]),
  session: async ({ sessions }) => named((await sessions.list(PAGE)).items, ({ id, email }) => [id, email]),
};

function named<Item>(
  items: readonly Item[],
  read: (item: Item) => readonly [value: string, description: string],
): readonly Candidate[] {
  return items.map((item) => {
    const [value, description] = read(item);
    return { value, description };
  });
}

const PAGE = { limit: 200 };

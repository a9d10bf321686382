// What can be done to API keys of the list: to one by the menu of its row, to several that are chosen.

import type { ApiKeyObject } from '../../../src/wire/api-key.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { Moment } from '../parts/time-text.tsx';

export const DELETE_KEYS: Act<ApiKeyObject> = {
  label: 'Delete',
  isDanger: true,
  question: (keys) => {
    const [first] = keys;
    return keys.length === 1 && first !== undefined
      ? `Delete the key ${first.name}?`
      : `Delete ${keys.length} keys?`;
  },
  about: (keys) => (
    <>
      A key stops working with the next call, and agents that serve shares with it are cut off within a
      minute. {keys.length === 1 && <LastUse keys={keys} />}
    </>
  ),
  action: 'Delete',
  done: (count) => (count === 1 ? 'The key was deleted' : `${count} keys were deleted`),
  run: ({ id }) => client.apiKeys.remove(id),
};

export function keyName({ name }: ApiKeyObject): string {
  return name;
}

function LastUse({ keys: [key] }: { readonly keys: readonly ApiKeyObject[] }) {
  if (key?.lastUsedAt === null || key === undefined) return 'It was never used.';
  return (
    <>
      It was last used <Moment at={key.lastUsedAt} />.
    </>
  );
}

// A member's own API keys, those of devices that they logged in among them, and how to delete one.

import { useQueryClient } from '@tanstack/react-query';
import type { OwnApiKeyObject } from '../../../src/wire/own.ts';
import { client } from '../api/client.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { SecretStart } from '../parts/secret-start.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';

export function OwnKeys() {
  const list = useList(KEY, async () => ({ ...(await client.own.apiKeys()), nextCursor: null }));
  const queries = useQueryClient();
  const tell = useTell();
  const remove = async ({ id, name }: OwnApiKeyObject) => {
    await client.own.removeApiKey(id);
    tell('The key was deleted', name);
    await queries.invalidateQueries({ queryKey: KEY });
  };
  return (
    <Panel
      title="Your API keys"
      about="Credentials for the doorward command on your devices, and for programs. Delete the key of a device that you lost."
    >
      <ListView
        list={list}
        label="Your API keys"
        id={({ id }) => id}
        columns={[
          ...COLUMNS,
          {
            title: 'Delete',
            kind: 'actions',
            cell: (key) => (
              <Confirm
                quiet
                label="Delete"
                about={`Delete the key ${key.name}`}
                title={`Delete the key ${key.name}?`}
                action="Delete it"
                run={() => remove(key)}
              >
                <p>The key stops working with the next call, and tunnels that it opened end.</p>
              </Confirm>
            ),
          },
        ]}
        empty={
          <Empty title="You have no API keys" icon="key">
            <p>A device that you log in with the doorward command is listed here.</p>
          </Empty>
        }
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<OwnApiKeyObject>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Starts with', cell: SecretStart },
  { title: 'For', cell: ({ isOfDevice }) => (isOfDevice ? 'a device' : 'a program') },
  { title: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Moment at={expiresAt} />) },
];

const KEY = ['own-api-keys'] as const;

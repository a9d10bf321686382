// API keys: what programs, agents and the command line call the control API with.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKeyObject, MadeApiKey } from '../../../src/wire/api-key.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { SecretStart } from '../parts/secret-start.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { useMay } from '../shell/session-context.ts';
import { Actor } from '../parts/actor.tsx';
import { expiryOf, keyWords, loginCommand } from './key-words.ts';
import { NewKey } from './new-key.tsx';

export function KeysPage() {
  const mayChange = useMay()('api_keys.write');
  const queries = useQueryClient();
  const [made, setMade] = useState<MadeApiKey | null>(null);
  const list = useList(['api-keys'], (cursor) => client.apiKeys.list({ cursor, limit: PAGE }));
  const keep = (key: MadeApiKey) => {
    setMade(key);
    void queries.invalidateQueries({ queryKey: ['api-keys'] });
  };
  return (
    <>
      <PageHead title="API keys" about="Credentials for programs, agents and the doorward command.">
        {mayChange && <NewKey made={keep} />}
      </PageHead>
      <ListView
        list={list}
        label="API keys"
        id={({ id }) => id}
        columns={mayChange ? [...COLUMNS, CHANGE] : COLUMNS}
        empty={
          <Empty icon="key" title="No keys yet">
            <p>
              A key lets a program or the doorward command do what you may do, or less. Create one key for
              each.
            </p>
          </Empty>
        }
      />
      {made !== null && (
        <ShownOnce title={`The key ${made.name}`} text={made.key} label="the key" close={() => setMade(null)}>
          <p>For the command line: this asks for the key, and saves it in a file that only you can read.</p>
          <CodeBlock text={loginCommand(location.origin)} label="the command" />
        </ShownOnce>
      )}
    </>
  );
}

const COLUMNS: readonly Column<ApiKeyObject>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Starts with', cell: SecretStart },
  { title: 'May', cell: keyWords },
  {
    title: 'Created by',
    cell: ({ createdBy, createdAt }) => (
      <>
        {createdBy === null ? 'with the account' : <Actor name={createdBy} />}
        <span className="under">
          <Moment at={createdAt} />
        </span>
      </>
    ),
  },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
  { title: 'Expires', cell: ({ expiresAt }) => <KeyExpiry expiresAt={expiresAt} /> },
];

const CHANGE: Column<ApiKeyObject> = {
  title: 'Change',
  kind: 'actions',
  cell: (key) => <DeleteKey apiKey={key} />,
};

function KeyExpiry({ expiresAt }: Pick<ApiKeyObject, 'expiresAt'>) {
  const expiry = expiryOf(expiresAt, Date.now());
  if (expiry === 'over') return <Badge tone="bad">expired</Badge>;
  return (
    <>
      <Moment at={expiresAt} />
      {expiry === 'soon' && (
        <>
          {' '}
          <Badge tone="warn">soon</Badge>
        </>
      )}
    </>
  );
}

function DeleteKey({ apiKey: { id, name, lastUsedAt } }: { readonly apiKey: ApiKeyObject }) {
  const queries = useQueryClient();
  const tell = useTell();
  return (
    <Confirm
      label="Delete"
      about={`Delete the key ${name}`}
      quiet
      title={`Delete the key ${name}?`}
      action="Delete it"
      run={async () => {
        await client.apiKeys.remove(id);
        tell('The key was deleted', name);
        await queries.invalidateQueries({ queryKey: ['api-keys'] });
      }}
    >
      <p>
        The key stops working with the next call, and agents that serve shares with it are cut off within a
        minute.{' '}
        {lastUsedAt === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Moment at={lastUsedAt} />.
          </>
        )}
      </p>
    </Confirm>
  );
}

const PAGE = 100;

// API keys: what programs, agents and the command line call the control API with.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { API_KEY_ORDERS } from '../../../src/domain/list-orders.ts';
import type { ApiKeyObject, MadeApiKey } from '../../../src/wire/api-key.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { rowActs } from '../parts/acts/row-acts.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Badge } from '../parts/badge.tsx';
import { CodeBlock } from '../parts/copy-text.tsx';
import { Empty } from '../parts/empty.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { SecretStart } from '../parts/secret-start.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Moment } from '../parts/time-text.tsx';
import { totalText } from '../parts/total-text.ts';
import { useList } from '../parts/use-list.ts';
import { useSort } from '../parts/use-sort.ts';
import { useMay } from '../shell/session-context.ts';
import { Actor } from '../parts/actor.tsx';
import { DELETE_KEYS, keyName } from './key-acts.tsx';
import { expiryOf, keyWords, loginCommand } from './key-words.ts';
import { NewKey } from './new-key.tsx';

export function KeysPage() {
  const mayChange = useMay()('api_keys.write');
  const queries = useQueryClient();
  const [made, setMade] = useState<MadeApiKey | null>(null);
  const [sort, listSort] = useSort(API_KEY_ORDERS);
  const list = useList(['api-keys', 'list', sort], (cursor) =>
    client.apiKeys.list({ sort, cursor, limit: PAGE }),
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const { ask, dialog } = useActs({ nameOf: keyName, listKey: ['api-keys'], left: chosen.keep });
  const keep = (key: MadeApiKey) => {
    setMade(key);
    void queries.invalidateQueries({ queryKey: ['api-keys'] });
  };
  const actions: Column<ApiKeyObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (key) => <RowMenu about={key.name} acts={rowActs([DELETE_KEYS], key, ask)} />,
  };
  return (
    <>
      <PageHead title="API keys" about="Credentials for programs, agents and the doorward command.">
        {mayChange && <NewKey made={keep} />}
      </PageHead>
      <ListTotal>{totalText(list, { one: 'key' })}</ListTotal>
      <ActBar chosen={chosen} acts={[DELETE_KEYS]} ask={ask} />
      <ListView
        list={list}
        label="API keys"
        id={({ id }) => id}
        nameOf={keyName}
        sort={listSort}
        {...(mayChange ? { chosen } : {})}
        columns={mayChange ? [...COLUMNS, actions] : COLUMNS}
        empty={
          <Empty icon="key" title="No keys yet">
            <p>
              A key lets a program or the doorward command do what you may do, or less. Create one key for
              each.
            </p>
          </Empty>
        }
      />
      {dialog}
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
  { title: 'Name', sort: 'name', cell: ({ name }) => name },
  { title: 'Starts with', kind: 'state', room: 'laptop', cell: SecretStart },
  { title: 'May', cell: keyWords },
  {
    title: 'Created by',
    room: 'laptop',
    cell: ({ createdBy }) => (createdBy === null ? 'with the account' : <Actor name={createdBy} />),
  },
  {
    title: 'Created',
    sort: 'created',
    isLastFirst: true,
    kind: 'time',
    room: 'desk',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  {
    title: 'Last used',
    sort: 'last_used',
    isLastFirst: true,
    kind: 'time',
    cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
  },
  {
    title: 'Expires',
    sort: 'expires',
    cell: ({ expiresAt }) => <KeyExpiry expiresAt={expiresAt} />,
  },
];

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

const PAGE = 100;

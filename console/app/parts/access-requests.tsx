// Requests for access, live, and how they are decided. Who decides on one sees it until they are done, also
// when somebody else was quicker.

import { useState } from 'react';
import type { AccessRequestObject } from '../../../src/wire/access-request.ts';
import { client } from '../api/client.ts';
import { hrefTo, Link } from '../router.tsx';
import { DecideRequest } from './decide-request.tsx';
import { type Column, ListView } from './list-view.tsx';
import { Panel } from './panel.tsx';
import { Moment } from './time-text.tsx';
import { useList } from './use-list.ts';
import { ByProvider } from './provider-name.tsx';
import './access-requests.css';

type AccessRequestsProps = {
  /** Those of one share; all of the account where it is null. */
  readonly share: { readonly id: string; readonly name: string } | null;
  /** Shown where nobody asks; nothing at all unless said. */
  readonly empty?: string;
  readonly mayDecide: boolean;
};

export function AccessRequests({ share, empty, mayDecide }: AccessRequestsProps) {
  const [held, hold] = useState<AccessRequestObject | null>(null);
  const list = useList(
    ['access-requests', { share: share?.id ?? null }],
    (cursor) => client.accessRequests.list({ share: share?.id, cursor, limit: SHOWN }),
    LIVE_MS,
  );
  const isGone = held !== null && !list.items.some(({ id }) => id === held.id);
  const items = isGone ? [...list.items, held].toSorted(newestFirst) : list.items;
  if (empty === undefined && (list.isLoading || items.length === 0) && list.error === null) return null;
  const actions: Column<AccessRequestObject> = {
    title: 'Decide',
    kind: 'actions',
    cell: (request) => <DecideRequest request={request} hold={hold} />,
  };
  const columns = [WHO, ...(share === null ? [SHARE] : []), MESSAGE, ASKED, ...(mayDecide ? [actions] : [])];
  return (
    <Panel
      title="Requests for access"
      about={
        mayDecide
          ? 'People who logged in and were refused. Let them in for a time, or dismiss them.'
          : 'People who logged in and were refused.'
      }
    >
      <ListView
        list={{ ...list, items }}
        label={share === null ? 'Requests for access' : `Requests for access to ${share.name}`}
        id={({ id }) => id}
        columns={columns}
        empty={<p className="soft">{empty}</p>}
      />
    </Panel>
  );
}

function newestFirst(one: AccessRequestObject, other: AccessRequestObject): number {
  return other.firstAskedAt < one.firstAskedAt ? -1 : 1;
}

const WHO: Column<AccessRequestObject> = {
  title: 'Who',
  kind: 'address',
  cell: ({ email, provider }) => (
    <>
      {email}
      <ByProvider name={provider} />
    </>
  ),
};
const SHARE: Column<AccessRequestObject> = {
  title: 'Share',
  cell: ({ share }) => (share === null ? 'deleted' : <Link href={hrefTo('shares', share)}>{share}</Link>),
};
const MESSAGE: Column<AccessRequestObject> = {
  title: 'Message',
  cell: ({ message }) =>
    message === '' ? <span className="soft">none</span> : <q className="asked-message">{message}</q>,
};
const ASKED: Column<AccessRequestObject> = {
  title: 'Asked',
  cell: ({ lastAskedAt }) => <Moment at={lastAskedAt} />,
};

const SHOWN = 20;
const LIVE_MS = 5_000;

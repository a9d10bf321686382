// All webhooks of the account, each with whether it is told of what happens.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { WEBHOOK_ORDERS } from '../../../src/domain/list-orders.ts';
import type { MadeWebhook, WebhookObject } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { rowActs } from '../parts/acts/row-acts.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Moment } from '../parts/time-text.tsx';
import { totalText } from '../parts/total-text.ts';
import { useList } from '../parts/use-list.ts';
import { useSort } from '../parts/use-sort.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { NewWebhook } from './new-webhook.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { WEBHOOK_ACTS } from './webhook-acts.tsx';
import { stateOf, titleOf, toldText } from './webhook-words.ts';

export function WebhooksPage() {
  const may = useMay();
  const queries = useQueryClient();
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const [sort, listSort] = useSort(WEBHOOK_ORDERS);
  const list = useList(['webhooks', 'list', sort], (cursor) =>
    client.webhooks.list({ sort, cursor, limit: PAGE }),
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const { ask, dialog } = useActs({ nameOf: titleOf, listKey: ['webhooks'], left: chosen.keep });
  const mayWrite = may('webhooks.write');
  const actions: Column<WebhookObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (webhook) => <RowMenu about={titleOf(webhook)} acts={rowActs(WEBHOOK_ACTS, webhook, ask)} />,
  };
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Your addresses that receive audit events as they happen, signed and retried until they answer."
      >
        {mayWrite && (
          <NewWebhook
            made={async (webhook) => {
              setMade(webhook);
              await queries.invalidateQueries({ queryKey: ['webhooks'] });
            }}
          />
        )}
      </PageHead>
      <ListTotal>{totalText(list, { one: 'webhook' })}</ListTotal>
      <ActBar chosen={chosen} acts={WEBHOOK_ACTS} ask={ask} />
      <ListView
        list={list}
        label="Webhooks"
        id={({ id }) => id}
        nameOf={titleOf}
        sort={listSort}
        {...(mayWrite ? { chosen } : {})}
        columns={mayWrite ? [...COLUMNS, actions] : COLUMNS}
        empty={
          <Empty title="No webhooks yet" icon="webhooks">
            <p>
              A webhook sends logins, refusals, certificates and changes to your own address, such as a chat,
              a ticket system or a log.
            </p>
          </Empty>
        }
      />
      {dialog}
      {made !== null && <SigningSecret webhook={made} close={() => setMade(null)} />}
    </>
  );
}

const COLUMNS: readonly Column<WebhookObject>[] = [
  {
    title: 'Name',
    sort: 'name',
    cell: (webhook) => <Link href={hrefTo('webhooks', webhook.id)}>{titleOf(webhook)}</Link>,
  },
  {
    title: 'Address',
    kind: 'address',
    cell: ({ url }) => (
      <span className="two-lines" title={url}>
        {url}
      </span>
    ),
  },
  { title: 'Events', room: 'laptop', cell: toldText },
  {
    title: 'State',
    kind: 'state',
    cell: (webhook) => {
      const { tone, word } = stateOf(webhook);
      return <Badge tone={tone}>{word}</Badge>;
    },
  },
  {
    title: 'Last delivered',
    sort: 'last_delivered',
    isLastFirst: true,
    kind: 'time',
    cell: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} />,
  },
  { title: 'Waiting', cell: ({ waiting }) => waiting.toLocaleString('en'), kind: 'number' },
  {
    title: 'Added',
    sort: 'created',
    isLastFirst: true,
    kind: 'time',
    room: 'desk',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

const PAGE = 100;

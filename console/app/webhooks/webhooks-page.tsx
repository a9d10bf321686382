// All webhooks of the account, each with whether it is told of what happens.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeWebhook, WebhookObject } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { NewWebhook } from './new-webhook.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { stateOf, titleOf, toldText } from './webhook-words.ts';

export function WebhooksPage() {
  const may = useMay();
  const queries = useQueryClient();
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const list = useList(['webhooks'], (cursor) => client.webhooks.list({ cursor, limit: PAGE }));
  return (
    <>
      <PageHead
        title="Webhooks"
        about="Your addresses that receive audit events as they happen, signed and retried until they answer."
      >
        {may('webhooks.write') && (
          <NewWebhook
            made={async (webhook) => {
              setMade(webhook);
              await queries.invalidateQueries({ queryKey: ['webhooks'] });
            }}
          />
        )}
      </PageHead>
      <ListView
        list={list}
        label="Webhooks"
        id={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="No webhooks yet" icon="webhooks">
            <p>
              A webhook sends logins, refusals, certificates and changes to your own address, such as a chat,
              a ticket system or a log.
            </p>
          </Empty>
        }
      />
      {made !== null && <SigningSecret webhook={made} close={() => setMade(null)} />}
    </>
  );
}

const COLUMNS: readonly Column<WebhookObject>[] = [
  { title: 'Name', cell: (webhook) => <Link href={hrefTo('webhooks', webhook.id)}>{titleOf(webhook)}</Link> },
  { title: 'Address', cell: ({ url }) => url },
  { title: 'Events', cell: toldText },
  {
    title: 'State',
    cell: (webhook) => {
      const { tone, word } = stateOf(webhook);
      return <Badge tone={tone}>{word}</Badge>;
    },
  },
  { title: 'Last delivered', cell: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} /> },
  { title: 'Waiting', cell: ({ waiting }) => waiting.toLocaleString('en'), kind: 'number' },
];

const PAGE = 100;

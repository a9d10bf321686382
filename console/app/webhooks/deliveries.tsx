// The last deliveries of a webhook: which arrived, which are tried again, and what the receiver answered.

import type { WebhookDelivery } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import { kindText } from '../parts/audit-text.ts';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { DeliveryState, durationText, resultText } from './delivery-words.tsx';

export function Deliveries({ id }: { readonly id: string }) {
  const [value, setValue] = useQueryValue('state');
  const state = STATES.find((each) => each === value);
  const list = useList(
    ['webhooks', id, 'deliveries', state],
    (cursor) => client.webhooks.deliveries(id, { state, cursor, limit: PAGE }),
    LIVE_MS,
  );
  return (
    <Panel
      title="Recent deliveries"
      about="The last 100 of seven days, each after its first attempt."
      actions={
        <select aria-label="State" value={state ?? ''} onChange={({ target }) => setValue(target.value)}>
          <option value="">Any state</option>
          <option value="delivered">Delivered</option>
          <option value="retrying">Retrying</option>
          <option value="failed">Failed</option>
        </select>
      }
    >
      <ListView
        list={list}
        label="Recent deliveries"
        id={(delivery) => delivery.id}
        columns={columnsOf(id)}
        empty={
          <Empty icon="webhooks" title={state === undefined ? 'No deliveries yet' : 'No matching deliveries'}>
            <p>Events that this webhook sends are listed here with the answers of the receiver.</p>
          </Empty>
        }
      />
    </Panel>
  );
}

function columnsOf(id: string): readonly Column<WebhookDelivery>[] {
  return [
    {
      title: 'Event',
      cell: (delivery) => (
        <Link href={hrefTo('webhooks', id, delivery.id)}>{kindText(delivery.kind).title}</Link>
      ),
    },
    { title: 'State', cell: DeliveryState },
    { title: 'Answer', cell: resultText },
    { title: 'Last attempt', cell: ({ attemptedAt }) => <Moment at={attemptedAt} /> },
    { title: 'Duration', cell: ({ durationMs }) => durationText(durationMs), kind: 'number' },
    {
      title: 'Next attempt',
      cell: ({ nextAttemptAt }) => <Moment at={nextAttemptAt} none="" />,
    },
  ];
}

const STATES = ['delivered', 'retrying', 'failed'] as const;
const PAGE = 25;
/** Whoever watches a receiver come back sees it soon. */
const LIVE_MS = 10_000;

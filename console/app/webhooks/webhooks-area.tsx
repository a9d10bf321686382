// Below /console/webhooks: addresses that audit events are posted to.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MadeWebhook, WebhookObject } from '../../../src/client/webhook-object.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field } from '../parts/field.tsx';
import { Form } from '../parts/form.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { type AreaProps, NothingHere } from '../shell/pages.tsx';

export function WebhooksArea({ path }: AreaProps) {
  return path.length === 0 ? <WebhooksPage /> : <NothingHere />;
}

function WebhooksPage() {
  const queries = useQueryClient();
  const tell = useTell();
  const [made, setMade] = useState<MadeWebhook | null>(null);
  const list = useList(['webhooks'], (cursor) => client.webhooks.list({ cursor, limit: PAGE }));
  const anew = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const attempt = async (failed: string, run: () => Promise<string>) => {
    try {
      tell(await run());
    } catch (error) {
      tell(failed, error instanceof Error ? error.message : undefined);
    }
    await anew();
  };
  const columns: readonly Column<WebhookObject>[] = [
    { title: 'Address', cell: ({ name, url }) => (name === null ? url : `${name}: ${url}`) },
    { title: 'Events', cell: ({ kinds }) => (kinds.length === 0 ? 'all' : kinds.join(', ')) },
    {
      title: 'State',
      cell: ({ enabled, lastFailure }) => (
        <span title={lastFailure ?? undefined}>
          <Badge good={enabled && lastFailure === null}>
            {!enabled ? 'off' : lastFailure === null ? 'on' : 'failing'}
          </Badge>
        </span>
      ),
    },
    { title: 'Last delivered', cell: ({ lastDeliveredAt }) => <Moment at={lastDeliveredAt} /> },
    { title: 'Waiting', cell: ({ waiting }) => waiting },
    {
      title: 'Change',
      cell: ({ id, url, enabled }) => (
        <span className="row">
          <button
            type="button"
            onClick={() =>
              void attempt('It was not tested', async () => {
                const { delivered, status, reason } = await client.webhooks.test(id);
                return delivered ? `It answered ${status}` : `It was not delivered: ${reason ?? 'no answer'}`;
              })
            }
          >
            Test
          </button>
          <button
            type="button"
            onClick={() =>
              void attempt('Nothing was changed', async () => {
                await client.webhooks.modify(id, { enabled: !enabled });
                return enabled ? 'It is off' : 'It is on';
              })
            }
          >
            {enabled ? 'Switch off' : 'Switch on'}
          </button>
          <Confirm
            label="Delete"
            title={`Delete the webhook to ${url}?`}
            action="Delete"
            run={() => client.webhooks.remove(id).then(anew)}
          >
            <p>What waits to be delivered is thrown away.</p>
          </Confirm>
        </span>
      ),
    },
  ];
  return (
    <>
      <PageHead title="Webhooks" />
      <NewWebhook made={(webhook) => (setMade(webhook), anew())} />
      <ListView
        list={list}
        label="Webhooks"
        id={({ id }) => id}
        columns={columns}
        empty={
          <Empty title="Nothing is told">
            <p>
              A webhook is told of logins, refusals, certificates and changes as they happen, signed, and
              again until it answers.
            </p>
          </Empty>
        }
      />
      {made !== null && (
        <ShownOnce
          title="The secret that it is signed with"
          text={made.secret}
          label="the secret"
          close={() => setMade(null)}
        />
      )}
    </>
  );
}

function NewWebhook({ made }: { readonly made: (webhook: MadeWebhook) => unknown }) {
  const [url, setUrl] = useState('');
  const [kinds, setKinds] = useState('');
  const send = async () => {
    const chosen = kinds.split(/[\s,]+/).filter(Boolean);
    made(await client.webhooks.create({ url, ...(chosen.length === 0 ? {} : { kinds: chosen }) }));
    setUrl('');
    setKinds('');
  };
  return (
    <Form action="Add it" send={send}>
      {(faults) => (
        <>
          <Field label="Address" help="https://, of a receiver of yours." fault={faults['url']}>
            {(control) => (
              <input
                {...control}
                type="url"
                required
                value={url}
                onChange={(event) => setUrl(event.target.value)}
              />
            )}
          </Field>
          <Field
            label="Kinds of events"
            help="Such as login.refused certificate.issued. None: all."
            fault={faults['kinds']}
          >
            {(control) => (
              <input {...control} value={kinds} onChange={(event) => setKinds(event.target.value)} />
            )}
          </Field>
        </>
      )}
    </Form>
  );
}

const PAGE = 100;

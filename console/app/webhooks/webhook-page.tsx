// One webhook: whether deliveries arrive, what the last failure was, a test of it, its switch, its settings
// and its secret.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Versioned } from '../../../src/client/call.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import type { WebhookObject } from '../../../src/wire/webhook.ts';
import { kindText } from '../parts/audit-text.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { isConflict } from '../parts/edit-form.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loading } from '../parts/loading.tsx';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote, problemOf } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useVersion } from '../parts/use-version.ts';
import { Working } from '../parts/working.tsx';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { Deliveries } from './deliveries.tsx';
import { EditWebhook } from './edit-webhook.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { stateOf, titleOf } from './webhook-words.ts';

export function WebhookPage({ id }: { readonly id: string }) {
  const webhook = useVersion(['webhooks', id], () => client.webhooks.read(id));
  const may = useMay();
  const queries = useQueryClient();
  // What it was when the form was opened: what is read meanwhile must not change it under somebody's hands.
  const [editing, edit] = useState<Versioned<WebhookObject> | null>(null);
  // What is shown stays while it cannot be read again, but not when it is known to be gone.
  if (webhook.isError && (webhook.data === undefined || isUnknown(webhook.error)))
    return <ProblemNote error={webhook.error} retry={webhook.refetch} />;
  if (webhook.data === undefined) return <Loading what="the webhook" />;
  const { value } = webhook.data;
  const { tone, word } = stateOf(value);
  return (
    <>
      <PageHead
        title={titleOf(value)}
        back={{ title: 'Webhooks', href: hrefTo('webhooks') }}
        badge={<Badge tone={tone}>{word}</Badge>}
      >
        {may('webhooks.write') && (
          <>
            {editing === null && (
              <button type="button" onClick={() => edit(webhook.data)}>
                Edit
              </button>
            )}
            <Actions webhook={webhook.data} />
          </>
        )}
      </PageHead>
      {editing !== null && (
        <EditWebhook
          start={editing}
          close={async () => {
            edit(null);
            await queries.invalidateQueries({ queryKey: ['webhooks'] });
          }}
        />
      )}
      {value.failingSince !== null && <Failing webhook={value} />}
      <Panel title="Delivery">
        <Facts
          facts={[
            { title: 'Address', value: <CopyText text={value.url} label="the address" /> },
            { title: 'Events', value: <Told kinds={value.kinds} /> },
            { title: 'Last delivered', value: <Moment at={value.lastDeliveredAt} /> },
            { title: 'Waiting', value: value.waiting.toLocaleString('en') },
            value.lastFailure === null ? null : { title: 'Last error', value: value.lastFailure },
            { title: 'Added', value: <Moment at={value.createdAt} /> },
          ]}
        />
      </Panel>
      {may('webhooks.write') && <Test id={id} />}
      <Deliveries id={id} />
      {may('webhooks.write') && <RotateSecret webhook={webhook.data} />}
      <p className="soft">
        <Link href={hrefTo('webhooks', '+verify')}>How the receiver checks the signature</Link>
      </p>
    </>
  );
}

function isUnknown(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'webhook_unknown';
}

function Told({ kinds }: Pick<WebhookObject, 'kinds'>) {
  return kinds.length === 0 ? 'everything' : kinds.map((kind) => kindText(kind).title).join(', ');
}

function Failing({ webhook: { failingSince, lastFailure, waiting } }: { readonly webhook: WebhookObject }) {
  return (
    <Note tone="warn">
      <span>
        Deliveries fail, the first of them <Moment at={failingSince} />: {lastFailure ?? 'no answer'}.{' '}
        {waiting === 1 ? 'One pending delivery' : `${waiting.toLocaleString('en')} pending deliveries`} and
        will be retried. After three days without a success the webhook is disabled.
      </span>
    </Note>
  );
}

function Actions({ webhook }: { readonly webhook: Versioned<WebhookObject> }) {
  const { id, enabled, url } = webhook.value;
  const queries = useQueryClient();
  const tell = useTell();
  const { go } = useRouter();
  const refresh = () => queries.invalidateQueries({ queryKey: ['webhooks'] });
  const turn = useMutation({
    mutationFn: () => client.webhooks.modify(id, { enabled: !enabled }, { ifMatch: webhook.etag }),
    onSuccess: () => tell(enabled ? 'Disabled. Pending deliveries were dropped.' : 'Enabled.'),
    onError: (error) =>
      isConflict(error)
        ? tell('Somebody else changed it meanwhile', 'Check its current state, and choose again.')
        : tell('Nothing was changed', problemOf(error).message),
    onSettled: refresh,
  });
  const remove = async () => {
    await client.webhooks.remove(id);
    go(hrefTo('webhooks'));
    await refresh();
  };
  return (
    <>
      <button type="button" disabled={turn.isPending} onClick={() => turn.mutate()}>
        {enabled ? 'Switch off' : 'Switch on'}
      </button>
      <Confirm label="Delete" title="Delete this webhook?" action="Delete" run={remove}>
        <p>
          {url} receives no more events, pending deliveries are dropped, and its secret is deleted. This
          cannot be undone.
        </p>
      </Confirm>
    </>
  );
}

function Test({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => client.webhooks.test(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return (
    <Panel
      title="Test"
      about="Sends an event of the kind “Webhook tested” now, and shows how the receiver answered."
      actions={
        <button
          type="button"
          disabled={test.isPending}
          aria-busy={test.isPending}
          onClick={() => test.mutate()}
        >
          {test.isPending && <Working />}
          {test.isPending ? 'Posting…' : 'Send a test event'}
        </button>
      }
    >
      <div aria-live="polite" className="webhook-test">
        {test.isError && <ProblemNote error={test.error} />}
        {test.data?.delivered === true && (
          <Note tone="good">
            <span>Delivered: the receiver answered {test.data.status}.</span>
          </Note>
        )}
        {test.data?.delivered === false && (
          <Note tone="warn">
            <span>
              Not delivered: {test.data.reason ?? `the receiver answered ${test.data.status}`}. It must answer
              2xx within ten seconds.
            </span>
          </Note>
        )}
      </div>
    </Panel>
  );
}

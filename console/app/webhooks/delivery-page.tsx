// One delivery: what was sent, what the receiver answered each time, and how to send it again.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WebhookAttempt, WebhookDeliveryDetail, WebhookTest } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import { kindText } from '../parts/audit-text.ts';
import { Badge } from '../parts/badge.tsx';
import { CodeBlock, CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loading } from '../parts/loading.tsx';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { Working } from '../parts/working.tsx';
import { hrefTo } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { attemptText, DeliveryState, durationText, resultText } from './delivery-words.tsx';

type DeliveryPageProps = { readonly webhook: string; readonly id: string };

export function DeliveryPage({ webhook, id }: DeliveryPageProps) {
  const may = useMay();
  const queries = useQueryClient();
  const delivery = useQuery({
    queryKey: ['webhooks', webhook, 'deliveries', 'one', id],
    queryFn: () => client.webhooks.delivery(id),
    refetchInterval: ({ state }) => (state.data?.state === 'retrying' ? LIVE_MS : false),
  });
  const again = useMutation({
    mutationFn: () => client.webhooks.redeliver(id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const back = { title: 'Webhook', href: hrefTo('webhooks', webhook) };
  if (delivery.data === undefined)
    return (
      <>
        <PageHead title="Delivery" back={back} />
        {delivery.isError ? (
          <ProblemNote error={delivery.error} retry={delivery.refetch} />
        ) : (
          <Loading what="the delivery" />
        )}
      </>
    );
  return (
    <>
      <PageHead
        title={kindText(delivery.data.kind).title}
        back={back}
        badge={<DeliveryState state={delivery.data.state} />}
      >
        {may('webhooks.write') && (
          <button
            type="button"
            disabled={again.isPending}
            aria-busy={again.isPending}
            onClick={() => again.mutate()}
          >
            {again.isPending && <Working />}
            {again.isPending ? 'Posting…' : 'Redeliver'}
          </button>
        )}
      </PageHead>
      <div aria-live="polite" className="webhook-test">
        {again.isError && <ProblemNote error={again.error} />}
        {again.data !== undefined && <Redelivered result={again.data} />}
      </div>
      <DeliveryFacts delivery={delivery.data} />
      <Panel
        title="Payload"
        about="The body exactly as it is sent. A redelivery has the same id and payload, and a new signature."
      >
        <CodeBlock text={delivery.data.payload} label="the payload" />
      </Panel>
      <Panel title="Attempts" about="The last ten, the newest first, with the first KiB of each answer.">
        <ol className="webhook-attempts">
          {delivery.data.attempts.toReversed().map((attempt) => (
            <Attempt key={`${attempt.attemptedAt} ${attempt.attempt}`} made={attempt} />
          ))}
        </ol>
      </Panel>
    </>
  );
}

function Redelivered({ result: { delivered, status, reason } }: { readonly result: WebhookTest }) {
  if (delivered)
    return (
      <Note tone="good">
        <span>Delivered: the receiver answered {status}.</span>
      </Note>
    );
  return (
    <Note tone="warn">
      <span>Not delivered: {reason ?? `the receiver answered ${status}`}.</span>
    </Note>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: WebhookDeliveryDetail }) {
  const { id, eventId, kind, nextAttemptAt } = delivery;
  return (
    <Panel title="Delivery">
      <Facts
        facts={[
          { title: 'Delivery id', value: <CopyText text={id} label="the delivery id" /> },
          { title: 'Event', value: <code>{kind}</code> },
          { title: 'Event id', value: <CopyText text={eventId} label="the event id" /> },
          { title: 'Last attempt', value: <Moment at={delivery.attemptedAt} exact /> },
          nextAttemptAt === null
            ? null
            : { title: 'Next attempt', value: <Moment at={nextAttemptAt} exact /> },
        ]}
      />
    </Panel>
  );
}

function Attempt({ made }: { readonly made: WebhookAttempt }) {
  return (
    <li>
      <p>
        <Badge tone={made.reason === null ? 'good' : 'bad'}>{resultText(made)}</Badge>
        <span>{attemptText(made)}</span>
        <span className="soft">
          {durationText(made.durationMs)}, to {made.origin}
        </span>
        <Moment at={made.attemptedAt} />
      </p>
      {made.answer !== null && made.answer !== '' && <CodeBlock text={made.answer} label="the answer" />}
    </li>
  );
}

const LIVE_MS = 10_000;

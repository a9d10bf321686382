// How the gateways do, as they said last, and what waits in the database.

import { useQuery } from '@tanstack/react-query';
import type { OperatedGateway, ServiceHealth } from '../../../src/wire/operator.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { Facts } from '../parts/facts.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { wholeList } from '../parts/use-list.ts';

export function GatewaysPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'health'],
    queryFn: () => client.operator.health(),
    refetchInterval: AGAIN_MS,
  });
  return (
    <>
      <PageHead
        title="Gateways"
        about="Each gateway reports every ten seconds. One that stopped is not listed; one that crashed is listed as silent for ten minutes."
      />
      {data === undefined && error === null && <Loading what="the gateways" />}
      {/* What was read before says nothing of now: a gateway would still be called running. */}
      {error !== null && <ProblemNote error={error} retry={refetch} />}
      {data !== undefined && error === null && <Sections health={data} />}
    </>
  );
}

function Sections({ health }: { readonly health: ServiceHealth }) {
  const { gateways, publicCertificates, webhookDeliveries } = health;
  return (
    <>
      <ListView
        list={wholeList(gateways)}
        label="Gateways"
        id={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty icon="activity" title="No gateway reports">
            <p>The database has no report of the last ten minutes.</p>
          </Empty>
        }
      />
      <Panel title="Public certificates" about="Those that Doorward orders by ACME, for all gateways.">
        {publicCertificates === null ? (
          <p className="soft">Doorward orders none: the configuration has no section acme.</p>
        ) : (
          <Facts
            facts={[
              { title: 'Valid', value: publicCertificates.valid.toLocaleString('en') },
              { title: 'Missing', value: <Few count={publicCertificates.missing} /> },
              { title: 'Failing', value: <Few count={publicCertificates.failing} /> },
              { title: 'First expires', value: <Moment at={publicCertificates.firstExpiresAt} none="–" /> },
            ]}
          />
        )}
      </Panel>
      <Panel title="Webhook deliveries" about="Of all accounts. At most 10,000 of each are counted.">
        <Facts
          facts={[
            { title: 'Waiting', value: webhookDeliveries.waiting.toLocaleString('en') },
            { title: 'Overdue by more than a minute', value: <Few count={webhookDeliveries.overdue} /> },
          ]}
        />
      </Panel>
    </>
  );
}

/** What should be none. */
function Few({ count }: { readonly count: number }) {
  return count === 0 ? '0' : <Badge tone="warn">{count.toLocaleString('en')}</Badge>;
}

function State({ state, silentSeconds }: Pick<OperatedGateway, 'state' | 'silentSeconds'>) {
  return (
    <>
      <Badge good={state === 'running'}>{state}</Badge>
      <span className="under">
        {silentSeconds < 1 ? 'reported just now' : `reported ${silentSeconds} s ago`}
      </span>
    </>
  );
}

function Workers({ workers: { running, configured } }: Pick<OperatedGateway, 'workers'>) {
  if (running === null) return configured;
  const text = `${running} of ${configured}`;
  return running < configured ? <Badge tone="warn">{text}</Badge> : text;
}

function Behind({ behindSeconds: seconds }: Pick<OperatedGateway, 'behindSeconds'>) {
  if (seconds === null) return 'not reported';
  const text = seconds < 1 ? 'less than 1 s' : `${Math.round(seconds)} s`;
  return seconds < MUCH_SECONDS ? text : <Badge tone="warn">{text}</Badge>;
}

const COLUMNS: readonly Column<OperatedGateway>[] = [
  {
    title: 'Gateway',
    cell: ({ id, version }) => (
      <>
        <code>{id}</code>
        <span className="under">version {version}</span>
      </>
    ),
  },
  {
    title: 'State',
    kind: 'state',
    cell: ({ state, silentSeconds }) => <State state={state} silentSeconds={silentSeconds} />,
  },
  { title: 'Running since', kind: 'time', cell: ({ startedAt }) => <Moment at={startedAt} /> },
  { title: 'Workers', kind: 'number', cell: ({ workers }) => <Workers workers={workers} /> },
  { title: 'Behind', kind: 'number', cell: ({ behindSeconds }) => <Behind behindSeconds={behindSeconds} /> },
  {
    title: 'Audit events waiting',
    kind: 'number',
    room: 'laptop',
    cell: ({ auditWaiting }) => auditWaiting ?? 'not reported',
  },
  {
    title: 'Certificates expire',
    kind: 'time',
    room: 'laptop',
    cell: ({ certificateExpiresAt }) => <Moment at={certificateExpiresAt} none="–" />,
  },
];
/** As often as gateways report. */
const AGAIN_MS = 10_000;
/** Changes are read several times a second. */
const MUCH_SECONDS = 5;

// The audit log: a list under filters that the address holds, what comes while it is followed, and one event
// in full.

import { useMemo } from 'react';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useQueryValue, useRouter } from '../router.tsx';
import './audit.css';
import { AuditFilters } from './audit-filters.tsx';
import { kindText } from '../parts/audit-text.ts';
import { whyShown } from '../parts/why-shown.ts';
import { FILTERS, isFiltered, inputOf } from './audit-input.ts';
import { EventDialog, EventLink } from './event-dialog.tsx';
import { ResultBadge } from './result-badge.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { type AuditFeed, useAudit } from './use-audit.ts';
import { type Names, shareLabel, useNames, whoLabel } from '../parts/use-names.ts';
import { ProviderName } from '../parts/provider-name.tsx';

export function AuditPage() {
  const { place } = useRouter();
  const [follow, setFollow] = useQueryValue('follow');
  const filter = FILTERS.map((name) => place.query.get(name) ?? '').join('\n');
  // Ranges such as "last hour" are counted from when they were chosen.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const input = useMemo(() => inputOf(place.query, Date.now()), [filter]);
  const follows = follow !== '';
  const feed = useAudit(filter, input, follows);
  const names = useNames();
  const columns = useMemo(() => columnsOf(names), [names]);
  return (
    <>
      <PageHead title="Audit" about="Audit events of the account: what happened, by whom and from where.">
        <ExportButtons input={input} />
        <button
          type="button"
          className="primary"
          aria-pressed={follows}
          onClick={() => setFollow(follows ? '' : '1')}
        >
          {follows ? 'Pause' : 'Follow'}
        </button>
      </PageHead>
      <AuditFilters names={names} />
      <Following feed={feed} follows={follows} />
      <ListView
        list={feed.list}
        label="Audit events, newest first"
        id={({ id }) => id}
        columns={columns}
        empty={<NoEvents isFiltered={isFiltered(place.query)} />}
      />
      <EventDialog events={feed.list.items} names={names} />
    </>
  );
}

/** Read out as it changes. */
function Following({ feed, follows }: { readonly feed: AuditFeed; readonly follows: boolean }) {
  return (
    <p className="audit-following soft" role="status">
      {follows && (
        <>
          <span className="audit-pulse" data-away={feed.trouble !== null} />
          {feed.trouble === null
            ? `Live: ${feed.came === 0 ? 'nothing new yet' : `${feed.came} new`}.`
            : `Live updates are interrupted: ${feed.trouble.message} Reconnecting.`}
        </>
      )}
    </p>
  );
}

function NoEvents({ isFiltered: filtered }: { readonly isFiltered: boolean }) {
  if (filtered)
    return (
      <Empty title="No results" icon="filter">
        <p>No matching events. Remove a filter, or choose a longer time.</p>
      </Empty>
    );
  return (
    <Empty title="No events yet" icon="audit">
      <p>
        Logins, refusals, logouts and every change of shares, providers, members and keys are listed here.
      </p>
    </Empty>
  );
}

function columnsOf(names: Names): readonly Column<AuditEventObject>[] {
  return [
    { title: 'What', cell: (event) => <What event={event} /> },
    { title: 'Result', cell: ({ result }) => <ResultBadge result={result} /> },
    { title: 'When', cell: ({ at }) => <Moment at={at} exact /> },
    { title: 'Who', kind: 'address', cell: (event) => whoLabel(event, names) },
    {
      title: 'Where',
      cell: ({ shareId, provider }) => (
        <>
          {shareId !== null && shareLabel(shareId, names)}
          {shareId !== null && provider !== null && ', '}
          {provider !== null && <ProviderName name={provider} />}
        </>
      ),
    },
    { title: 'From', kind: 'address', cell: ({ ip }) => ip ?? '' },
    { title: 'Why', cell: (event) => whyShown(event, names) },
  ];
}

function What({ event }: { readonly event: AuditEventObject }) {
  return <EventLink event={event}>{kindText(event.kind).title}</EventLink>;
}

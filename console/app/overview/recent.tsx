// What happened last, a line each.

import { useQuery } from '@tanstack/react-query';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { client } from '../api/client.ts';
import { kindText } from '../parts/audit-text.ts';
import { type Names, shareLabel, useNames, whoLabel } from '../parts/use-names.ts';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link } from '../router.tsx';

export function Recent() {
  const names = useNames();
  const list = useQuery({
    queryKey: ['audit', 'overview'],
    queryFn: () => client.auditEvents.list({ limit: SHOWN }),
    refetchInterval: LIVE_MS,
  });
  return (
    <div className="overview-recent">
      <Panel title="Recent activity" actions={<Link href={hrefTo('audit')}>Everything</Link>}>
        {list.isError && <ProblemNote error={list.error} retry={list.refetch} />}
        {list.isPending && (
          <p className="soft" aria-busy="true">
            Loading…
          </p>
        )}
        {list.data?.items.length === 0 && <p className="soft">No activity yet.</p>}
        <ul className="overview-rows overview-events">
          {list.data?.items.map((event) => (
            <Event key={event.id} event={event} names={names} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Event({ event, names }: { readonly event: AuditEventObject; readonly names: Names }) {
  const { id, at, kind, shareId } = event;
  const { title, tone } = kindText(kind);
  const who = whoLabel(event, names);
  return (
    <li data-tone={tone}>
      <Link href={`${hrefTo('audit')}?event=${encodeURIComponent(id)}`}>{title}</Link>
      <span className="soft overview-who">
        {who}
        {shareId !== null && ` ${who === '' ? '' : '· '}${shareLabel(shareId, names)}`}
      </span>
      <span className="soft">
        <Moment at={at} />
      </span>
    </li>
  );
}

const SHOWN = 8;
const LIVE_MS = 3_000;

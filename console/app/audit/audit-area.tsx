// Below /console/audit: what happened, by whom, from where; filtered, followed, and taken along as JSON lines.

import { useState } from 'react';
import type { AuditEventObject } from '../../../src/client/audit-event-object.ts';
import { client } from '../api/client.ts';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { useQueryValue } from '../router.tsx';
import { type AreaProps, NothingHere } from '../shell/pages.tsx';

export function AuditArea({ path }: AreaProps) {
  return path.length === 0 ? <AuditPage /> : <NothingHere />;
}

function AuditPage() {
  const [email, setEmail] = useQueryValue('email');
  const [kind, setKind] = useQueryValue('kind');
  const [follows, setFollows] = useState(false);
  const wanted = { email: email || undefined, kind: kind === '' ? undefined : [kind] };
  const list = useList(
    ['audit', wanted],
    (cursor) => client.auditEvents.list({ ...wanted, cursor, limit: PAGE }),
    follows ? FOLLOW_MS : false,
  );
  return (
    <>
      <PageHead title="Audit">
        <input
          type="search"
          aria-label="Only of this address"
          placeholder="Address"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <input
          type="search"
          aria-label="Only of this kind"
          placeholder="Kind, such as login.refused"
          value={kind}
          onChange={(event) => setKind(event.target.value)}
        />
        <label>
          <input type="checkbox" checked={follows} onChange={(event) => setFollows(event.target.checked)} />{' '}
          Follow
        </label>
        <Export wanted={wanted} />
      </PageHead>
      <ListView
        list={list}
        label="What happened, the latest first"
        id={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="Nothing is written down">
            <p>
              Logins, refusals, logouts and every change of shares, providers, members and keys are listed
              here.
            </p>
          </Empty>
        }
      />
    </>
  );
}

type Wanted = { readonly email: string | undefined; readonly kind: readonly string[] | undefined };

function Export({ wanted }: { readonly wanted: Wanted }) {
  const tell = useTell();
  const [isRunning, setRunning] = useState(false);
  const run = async () => {
    setRunning(true);
    try {
      save(await everyEvent(wanted));
    } catch (error) {
      tell('Nothing was exported', error instanceof Error ? error.message : undefined);
    } finally {
      setRunning(false);
    }
  };
  return (
    <button type="button" disabled={isRunning} onClick={() => void run()}>
      Export
    </button>
  );
}

async function everyEvent(wanted: Wanted): Promise<readonly string[]> {
  const lines: string[] = [];
  for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false) {
    const page = await client.auditEvents.list({ ...wanted, order: 'oldest', cursor, limit: PAGE });
    lines.push(...page.items.map((event) => `${JSON.stringify(event)}\n`));
    cursor = page.nextCursor;
  }
  return lines;
}

function save(lines: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...lines], { type: 'application/jsonl' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: 'audit-events.jsonl' });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SAVED_MS);
}

const COLUMNS: readonly Column<AuditEventObject>[] = [
  { title: 'What', cell: ({ kind }) => kind },
  { title: 'When', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Who', cell: ({ email, actor }) => email ?? actor ?? '' },
  { title: 'From', cell: ({ ip }) => ip ?? '' },
  { title: 'Why', cell: ({ reason }) => reason ?? '' },
];

const PAGE = 100;
const FOLLOW_MS = 2_000;
/** The browser has taken the file by then. */
const SAVED_MS = 60_000;

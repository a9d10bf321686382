// The latest audit events about a person, and those of what they did as a member.

import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { client } from '../api/client.ts';
import { kindText } from '../parts/audit-text.ts';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { type Names, shareLabel, useNames, whoLabel } from '../parts/use-names.ts';
import { whyShown } from '../parts/why-shown.ts';
import { hrefTo, Link } from '../router.tsx';
import { ProviderName } from '../parts/provider-name.tsx';

type ActivityProps = {
  readonly title: string;
  /** By one of the two. */
  readonly of: { readonly email: string } | { readonly actor: string };
};

export function PersonActivity({ title, of }: ActivityProps) {
  const names = useNames();
  const list = useList(['audit', { person: of }], (cursor) =>
    client.auditEvents.list({ ...of, order: 'newest', cursor: cursor ?? undefined, limit: SHOWN }),
  );
  const all = `${hrefTo('audit')}?${new URLSearchParams(of)}`;
  return (
    <Panel title={title} actions={<Link href={all}>All in the audit log</Link>}>
      <ListView
        list={{ ...list, more: null }}
        label={title}
        id={({ id }) => id}
        columns={columnsOf(names, all)}
        empty={<p className="soft">No events.</p>}
      />
    </Panel>
  );
}

function columnsOf(names: Names, all: string): readonly Column<AuditEventObject>[] {
  return [
    {
      title: 'What',
      cell: ({ id, kind }) => (
        <Link href={`${all}&${new URLSearchParams({ event: id })}`}>{kindText(kind).title}</Link>
      ),
    },
    { title: 'When', cell: ({ at }) => <Moment at={at} /> },
    { title: 'Who', kind: 'address', cell: (event) => whoLabel(event, names) },
    {
      title: 'Where',
      cell: ({ shareId, provider }) =>
        shareId !== null ? shareLabel(shareId, names) : provider !== null && <ProviderName name={provider} />,
    },
    { title: 'Why', cell: (event) => whyShown(event, names) },
  ];
}

const SHOWN = 8;

// /console/sessions/access: what somebody could open, share by share. Who it is about is in the address.

import { type SubmitEvent, useState } from 'react';
import type { PersonSearch, PersonShareObject } from '../../../src/wire/who.ts';
import { client } from '../api/client.ts';
import { CouldBadge } from '../parts/could-badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';

export function PersonAccessPage() {
  const { place } = useRouter();
  const said = (name: string) => place.query.get(name)?.trim() || undefined;
  const asked = { email: said('email'), provider: said('provider'), certificate: said('certificate') };
  const isAsked = asked.email !== undefined || asked.certificate !== undefined;
  return (
    <>
      <PageHead
        title="What a person can open"
        back={BACK}
        about="Every share, and why the gateway would let them in or not. Groups are those of their latest logins."
      />
      <Question key={place.query.toString()} asked={asked} />
      {isAsked ? (
        <Shares asked={asked} />
      ) : (
        <Empty icon="search" title="Choose a person">
          <p>Enter an email address. Nobody is logged in, and nothing is sent to a provider.</p>
        </Empty>
      )}
    </>
  );
}

function Question({ asked }: { readonly asked: PersonSearch }) {
  const { go } = useRouter();
  const mayShow = useMay()('certificates.read');
  const [draft, setDraft] = useState(asked);
  const change = (changes: PersonSearch) => setDraft((known) => ({ ...known, ...changes }));
  const ask = (event: SubmitEvent) => {
    event.preventDefault();
    const trimmed = Object.entries(draft).map(([name, value]) => [name, value?.trim() || undefined]);
    go(personAccessHref(Object.fromEntries(trimmed) as PersonSearch), 'replace');
  };
  return (
    <form className="toolbar" role="search" aria-label="Person" onSubmit={ask}>
      {FIELDS.filter(({ name }) => name !== 'certificate' || mayShow).map(({ name, label, placeholder }) => (
        <input
          key={name}
          type="search"
          aria-label={label}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_LENGTH}
          value={draft[name] ?? ''}
          onChange={({ target }) => change({ [name]: target.value })}
        />
      ))}
      <button type="submit" className="primary">
        Ask
      </button>
    </form>
  );
}

function Shares({ asked }: { readonly asked: PersonSearch }) {
  const list = useList(['shares', { person: asked }], (cursor) =>
    client.shares.ofPerson({ ...asked, cursor, limit: PAGE }),
  );
  return (
    <ListView
      list={list}
      label="What this person can open"
      id={({ id }) => id}
      columns={COLUMNS}
      empty={
        <Empty icon="shares" title="No shares">
          <p>Your account has no shares yet.</p>
        </Empty>
      }
    />
  );
}

const COLUMNS: readonly Column<PersonShareObject>[] = [
  { title: 'Share', cell: ({ share }) => <Link href={hrefTo('shares', share)}>{share}</Link> },
  { title: 'Gets in', cell: ({ outcome }) => <CouldBadge outcome={outcome} /> },
  { title: 'Why', cell: ({ detail }) => detail },
  { title: 'Provider', cell: ({ provider }) => provider ?? 'no login' },
];
const FIELDS = [
  { name: 'email', label: 'Email address', placeholder: 'ann@example.com' },
  { name: 'provider', label: 'Provider', placeholder: 'Any provider' },
  { name: 'certificate', label: 'Certificate', placeholder: 'Certificate id or serial' },
] as const;
const BACK = { title: 'Sessions', href: hrefTo('sessions') };
const PAGE = 50;
/** Longer than any address; what the API takes. */
const MAX_LENGTH = 300;

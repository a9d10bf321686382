// /console/sessions/access: a person. What they hold and could open, what happened, and how all of it ends.
// Who it is about is in the address.

import { type SubmitEvent, useState } from 'react';
import type { EndedAccessObject } from '../../../src/wire/person.ts';
import type { PersonSearch, PersonShareObject } from '../../../src/wire/who.ts';
import { client } from '../api/client.ts';
import { CouldBadge } from '../parts/could-badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { FoldedFilters } from '../parts/folded-filters.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { EndAccess, EndedAccess } from './end-access.tsx';
import { PersonActivity } from './person-activity.tsx';
import { PersonCertificates } from './person-certificates.tsx';
import { PersonThings, Summary, usePerson } from './person-held.tsx';
import { PersonSessions } from './person-sessions.tsx';
import { ProviderName } from '../parts/provider-name.tsx';

export function PersonAccessPage() {
  const { place } = useRouter();
  const said = (name: string) => place.query.get(name)?.trim() || undefined;
  const asked = { email: said('email'), provider: said('provider'), certificate: said('certificate') };
  const isAsked = asked.email !== undefined || asked.certificate !== undefined;
  const { email } = asked;
  return (
    <>
      <Head key={email} email={email} />
      <Question key={place.query.toString()} asked={asked} />
      {email !== undefined && <Held key={email} email={email} />}
      {isAsked ? (
        <Panel
          title="What this person can open"
          about="Every share, and why the gateway would let them in or not. Groups are those of their latest logins."
        >
          <Shares asked={asked} />
        </Panel>
      ) : (
        <Empty icon="search" title="Choose a person">
          <p>Enter an email address. Nobody is logged in, and nothing is sent to a provider.</p>
        </Empty>
      )}
      {email !== undefined && <PersonActivities key={email} email={email} />}
    </>
  );
}

function Head({ email }: { readonly email: string | undefined }) {
  const [result, setResult] = useState<EndedAccessObject | null>(null);
  const person = usePerson(email).data;
  const mayEnd = useMay()('people.end');
  return (
    <>
      <PageHead
        title={email ?? 'People'}
        back={BACK}
        about={
          email === undefined
            ? 'What a person holds and can open, and what happened.'
            : 'What this person holds and can open, and what happened.'
        }
      >
        {mayEnd && email !== undefined && person !== undefined && (
          <EndAccess email={email} person={person} ended={setResult} />
        )}
      </PageHead>
      <div role="status" className={result === null ? 'unseen' : undefined}>
        {result !== null && <EndedAccess result={result} />}
      </div>
    </>
  );
}

function Held({ email }: { readonly email: string }) {
  const person = usePerson(email);
  const maySeeCertificates = useMay()('certificates.read');
  return (
    <>
      {person.error !== null && <ProblemNote error={person.error} retry={person.refetch} />}
      {person.data !== undefined && <Summary person={person.data} />}
      <PersonSessions email={email} />
      {maySeeCertificates && <PersonCertificates email={email} />}
      {person.data !== undefined && <PersonThings person={person.data} />}
    </>
  );
}

function PersonActivities({ email }: { readonly email: string }) {
  const member = usePerson(email).data?.member ?? null;
  return (
    <>
      <PersonActivity title="Recent activity" of={{ email }} />
      {member?.state === 'active' && (
        <PersonActivity title="Done as a member" of={{ actor: `member:${member.id}` }} />
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
  const more = MORE.filter(({ name }) => name !== 'certificate' || mayShow);
  const inputOf = ({ name, label, placeholder }: (typeof FIELDS)[number]) => (
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
  );
  return (
    <form className="toolbar" role="search" aria-label="Person" onSubmit={ask}>
      {inputOf(EMAIL)}
      <FoldedFilters count={more.filter(({ name }) => draft[name] !== undefined).length}>
        {more.map(inputOf)}
      </FoldedFilters>
      <button type="submit" className="primary">
        Show
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
      empty={<p className="soft">No shares yet.</p>}
    />
  );
}

const COLUMNS: readonly Column<PersonShareObject>[] = [
  { title: 'Share', cell: ({ share }) => <Link href={hrefTo('shares', share)}>{share}</Link> },
  { title: 'Gets in', cell: ({ outcome }) => <CouldBadge outcome={outcome} /> },
  { title: 'Why', cell: ({ detail }) => detail },
  {
    title: 'Provider',
    cell: ({ provider }) => (provider === null ? 'no login' : <ProviderName name={provider} />),
  },
];
const FIELDS = [
  { name: 'email', label: 'Email address', placeholder: 'ann@example.com' },
  { name: 'provider', label: 'Provider', placeholder: 'Any provider' },
  { name: 'certificate', label: 'Certificate', placeholder: 'Certificate id or serial' },
] as const;
const [EMAIL, ...MORE] = FIELDS;
const BACK = { title: 'Sessions', href: hrefTo('sessions') };
const PAGE = 50;
/** Longer than any address; what the API takes. */
const MAX_LENGTH = 300;

// What a person holds: sessions, certificates and the tokens for more, API keys, requests for access. A list
// that is empty is left out, since the summary says so.

import { useQuery } from '@tanstack/react-query';
import type { AccessRequestObject } from '../../../src/wire/access-request.ts';
import type { ApiKeyObject } from '../../../src/wire/api-key.ts';
import type { CertificateObject, TokenObject } from '../../../src/wire/certificate.ts';
import type { PersonObject } from '../../../src/wire/person.ts';
import type { SessionObject } from '../../../src/wire/session.ts';
import { client } from '../api/client.ts';
import { Facts } from '../parts/facts.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { requestTokenHref } from '../parts/request-token-href.ts';
import { Moment } from '../parts/time-text.tsx';
import { useList, wholeList } from '../parts/use-list.ts';
import { browserWords } from '../parts/user-agent.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { EndOne } from './end-sessions.tsx';
import { heldItems } from './held-items.ts';
import { ByProvider } from '../parts/provider-name.tsx';

export function usePerson(email: string | undefined) {
  const mayRead = useMay()('people.read');
  return useQuery({
    queryKey: ['sessions', 'person', email],
    queryFn: () => client.people.show(email ?? ''),
    enabled: mayRead && email !== undefined,
    refetchInterval: LIVE_MS,
  });
}

export function Summary({ person: { member, counts } }: { readonly person: PersonObject }) {
  const held = heldItems(counts);
  return (
    <Panel title="Summary">
      <Facts
        facts={[
          { title: 'Active now', value: held.length === 0 ? 'nothing' : held.join(', ') },
          {
            title: 'Member',
            value:
              member === null ? (
                'no'
              ) : (
                <Link href={hrefTo('people')}>{`${member.role}, ${member.state}`}</Link>
              ),
          },
          member && { title: 'Last login here', value: <Moment at={member.lastLoginAt} /> },
          counts.serviceTokens === 0
            ? null
            : { title: 'Service tokens created', value: `${counts.serviceTokens}, for programs` },
        ]}
      />
    </Panel>
  );
}

export function PersonSessions({ email }: { readonly email: string }) {
  const mayEnd = useMay()('sessions.end');
  const list = useList(
    ['sessions', { person: email }],
    (cursor) => client.sessions.list({ email, state: 'active', cursor, limit: SHOWN }),
    LIVE_MS,
  );
  return (
    <Panel
      title="Active sessions"
      actions={<All area="sessions" name="email" email={email} what="sessions" />}
    >
      <ListView
        list={{ ...list, more: null }}
        label="Active sessions of this person"
        id={({ id }) => id}
        columns={mayEnd ? [...SESSIONS, END] : SESSIONS}
        empty={<p className="soft">No active sessions.</p>}
      />
    </Panel>
  );
}

export function PersonCertificates({ email }: { readonly email: string }) {
  const list = useList(['certificates', { person: email }], (cursor) =>
    client.certificates.list({ email, state: 'living', cursor, limit: SHOWN }),
  );
  if (list.items.length === 0 && list.error === null) return null;
  return (
    <Panel
      title="Active certificates"
      actions={<All area="certificates" name="q" email={email} what="certificates" />}
    >
      <ListView
        list={{ ...list, more: null }}
        label="Active certificates of this person"
        id={({ id }) => id}
        columns={CERTIFICATES}
        empty={null}
      />
    </Panel>
  );
}

export function PersonThings({ person }: { readonly person: PersonObject }) {
  const { requestTokens, apiKeys, accessRequests } = person;
  return (
    <>
      {requestTokens.length > 0 && (
        <Panel title="Unused certificate request tokens">
          <ListView
            list={wholeList(requestTokens)}
            label="Unused tokens of this person"
            id={idOf}
            columns={TOKENS}
            empty={null}
          />
        </Panel>
      )}
      {apiKeys.length > 0 && (
        <Panel title="API keys" actions={<Link href={hrefTo('people', 'keys')}>All API keys</Link>}>
          <ListView
            list={wholeList(apiKeys)}
            label="API keys of this person"
            id={idOf}
            columns={KEYS}
            empty={null}
          />
        </Panel>
      )}
      {accessRequests.length > 0 && (
        <Panel title="Requests for access">
          <ListView
            list={wholeList(accessRequests)}
            label="Requests for access by this person"
            id={idOf}
            columns={REQUESTS}
            empty={null}
          />
        </Panel>
      )}
    </>
  );
}

type AllProps = {
  readonly area: 'sessions' | 'certificates';
  readonly name: string;
  readonly email: string;
  readonly what: string;
};

function All({ area, name, email, what }: AllProps) {
  return <Link href={`${hrefTo(area)}?${new URLSearchParams({ [name]: email })}`}>All their {what}</Link>;
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

const SESSIONS: readonly Column<SessionObject>[] = [
  {
    title: 'Share',
    cell: ({ share, provider }) => (
      <>
        {share === null ? 'deleted' : <Link href={hrefTo('shares', share)}>{share}</Link>}
        <ByProvider name={provider} />
      </>
    ),
  },
  {
    title: 'With',
    cell: ({ userAgent, ip }) => (
      <>
        {browserWords(userAgent)}
        <span className="under">from {ip ?? 'unknown'}</span>
      </>
    ),
  },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last seen', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
];
const END: Column<SessionObject> = {
  title: 'End',
  kind: 'actions',
  cell: (session) => <EndOne session={session} />,
};
const CERTIFICATES: readonly Column<CertificateObject>[] = [
  { title: 'Name', cell: ({ id, name }) => <Link href={hrefTo('certificates', id)}>{name}</Link> },
  { title: 'Common name', cell: ({ commonName }) => commonName },
  { title: 'Expires', cell: ({ notAfter }) => <Moment at={notAfter} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
];
const TOKENS: readonly Column<TokenObject>[] = [
  {
    title: 'Name',
    cell: ({ id, name }) => <Link href={requestTokenHref(id)}>{name}</Link>,
  },
  { title: 'Common name', cell: ({ commonName }) => commonName },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];
const KEYS: readonly Column<ApiKeyObject>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Role', cell: ({ role, scope }) => (scope === 'full' ? role : `${role}, ${scope}`) },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} none="does not expire" /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
];
const REQUESTS: readonly Column<AccessRequestObject>[] = [
  {
    title: 'Share',
    cell: ({ share }) => (share === null ? 'deleted' : <Link href={hrefTo('shares', share)}>{share}</Link>),
  },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Message', cell: ({ message }) => message },
  { title: 'Asked', cell: ({ lastAskedAt }) => <Moment at={lastAskedAt} /> },
];
const SHOWN = 10;
const LIVE_MS = 5_000;

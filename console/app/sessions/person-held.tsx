// What a person holds beside sessions and certificates: tokens for more of these, API keys, requests for
// access. A list that is empty is left out, since the summary says so.

import { useQuery } from '@tanstack/react-query';
import type { AccessRequestObject } from '../../../src/wire/access-request.ts';
import type { ApiKeyObject } from '../../../src/wire/api-key.ts';
import type { TokenObject } from '../../../src/wire/certificate.ts';
import type { PersonObject } from '../../../src/wire/person.ts';
import { client } from '../api/client.ts';
import { Facts } from '../parts/facts.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { requestTokenHref } from '../parts/request-token-href.ts';
import { Moment } from '../parts/time-text.tsx';
import { wholeList } from '../parts/use-list.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { heldItems } from './held-items.ts';

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

function idOf({ id }: { readonly id: string }): string {
  return id;
}

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
const LIVE_MS = 5_000;

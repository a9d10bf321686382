// Who could get in at a share: whom its rules speak of, and each person whom the account knows, by the gate's
// own evaluator. It is asked for when somebody wants to see it.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ruleName } from '../../../src/domain/rule-name.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import type { KnownPersonObject, RuleSentence } from '../../../src/wire/who.ts';
import { client } from '../api/client.ts';
import { CouldBadge } from '../parts/could-badge.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { pageWithItems } from '../parts/use-list.ts';
import { Link } from '../router.tsx';
import { ByProvider } from '../parts/provider-name.tsx';

export function WhoCould({ share }: { readonly share: ShareObject }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <Panel
      title="Who could get in"
      about="The people whom your account knows, and why the gateway would let them in or not."
      actions={
        !isAsked && (
          <button type="button" onClick={() => setAsked(true)}>
            Show people
          </button>
        )
      }
    >
      {isAsked && <People share={share} />}
    </Panel>
  );
}

function People({ share: { id, name } }: { readonly share: ShareObject }) {
  // Below the share, so that a change of its rules asks again.
  const found = useInfiniteQuery({
    queryKey: ['shares', name, 'who'],
    queryFn: ({ pageParam }) => pageWithItems((cursor) => client.shares.who(id, { cursor }), pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  const pages = found.data?.pages ?? [];
  return (
    <>
      <Sentences rules={pages[0]?.rules ?? []} />
      <ListView
        list={{
          items: pages.flatMap(({ items }) => items),
          isLoading: found.isPending,
          error: found.error,
          again: found.refetch,
          more: found.hasNextPage ? found.fetchNextPage : null,
          isLoadingMore: found.isFetchingNextPage,
        }}
        label={`Who could get in at ${name}`}
        id={keyOf}
        columns={COLUMNS}
        empty={
          <p className="soft">Your account knows nobody yet. People appear here after their first login.</p>
        }
      />
    </>
  );
}

function Sentences({ rules }: { readonly rules: readonly RuleSentence[] }) {
  return (
    <ul className="who-rules" aria-label="Whom the rules describe">
      {rules.map(({ rule, effect, text }) => (
        <li key={rule}>
          <strong>{effect === 'allow' ? 'Let in' : 'Deny'}:</strong> {text}{' '}
          <span className="soft">({ruleName(rule, effect)})</span>
        </li>
      ))}
    </ul>
  );
}

function keyOf({ email, provider, certificate }: KnownPersonObject): string {
  return [email, provider, certificate?.id].join(' ');
}

const COLUMNS: readonly Column<KnownPersonObject>[] = [
  {
    title: 'Who',
    kind: 'address',
    cell: ({ email, provider, certificate }) => (
      <>
        <Link
          href={personAccessHref({
            email: email ?? undefined,
            provider: provider ?? undefined,
            certificate: certificate?.id,
          })}
          title="What they can open"
        >
          {email ?? certificate?.commonName}
        </Link>
        {provider === null ? <span className="under">by certificate</span> : <ByProvider name={provider} />}
      </>
    ),
  },
  { title: 'Gets in', cell: ({ outcome }) => <CouldBadge outcome={outcome} /> },
  { title: 'Why', cell: ({ detail }) => detail },
  { title: 'Known by', cell: ({ knownBy }) => KNOWN_BY[knownBy] },
];

const KNOWN_BY = {
  session: 'a session',
  access_request: 'a request for access',
  audit: 'a recent login',
  certificate: 'a certificate',
} as const satisfies Record<KnownPersonObject['knownBy'], string>;

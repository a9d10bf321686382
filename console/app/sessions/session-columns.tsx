// What is shown of each session.

import type { SessionObject } from '../../../src/wire/session.ts';
import type { Column } from '../parts/list-view.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link } from '../router.tsx';
import { endWords } from './session-words.ts';
import { browserWords } from '../parts/user-agent.ts';

const WHO: readonly Column<SessionObject>[] = [
  {
    title: 'Who',
    cell: ({ email, provider }) => (
      <>
        <Link
          href={`${hrefTo('sessions')}?${new URLSearchParams({ email })}`}
          title={`All sessions of ${email}`}
        >
          {email}
        </Link>
        <span className="under">
          by {provider} ·{' '}
          <Link href={personAccessHref({ email, provider })} aria-label={`Access of ${email}`}>
            access
          </Link>
        </span>
      </>
    ),
  },
  {
    title: 'Share',
    cell: ({ share }) => (share === null ? 'gone' : <Link href={hrefTo('shares', share)}>{share}</Link>),
  },
  {
    title: 'With',
    cell: ({ userAgent, ip }) => (
      <>
        <span className="browser" title={userAgent ?? 'Not recorded at the login.'}>
          {browserWords(userAgent)}
        </span>
        <span className="under">from {ip ?? 'unknown'}</span>
      </>
    ),
  },
];

export const activeColumns: readonly Column<SessionObject>[] = [
  ...WHO,
  {
    title: 'Since',
    cell: ({ createdAt, expiresAt }) => (
      <>
        <Moment at={createdAt} />
        <span className="under">
          ends <Moment at={expiresAt} />
        </span>
      </>
    ),
  },
  {
    title: 'Last seen',
    cell: ({ lastSeenAt, checkedAt }) => (
      <>
        <Moment at={lastSeenAt} />
        <span className="under">
          checked <Moment at={checkedAt} />
        </span>
      </>
    ),
  },
];

export const endedColumns: readonly Column<SessionObject>[] = [
  ...WHO,
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: 'Ended',
    cell: ({ endedAt, expiresAt, endReason }) => (
      <>
        <Moment at={endedAt ?? expiresAt} />
        <span className="under">{endWords(endReason)}</span>
      </>
    ),
  },
];

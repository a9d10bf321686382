// What is shown of each session: one line each. Which provider somebody logged in with is said of each only
// where there are several.

import type { SessionObject } from '../../../src/wire/session.ts';
import type { Column } from '../parts/list-view.tsx';
import { Moment } from '../parts/time-text.tsx';
import { browserWords } from '../parts/user-agent.ts';
import { hrefTo, Link } from '../router.tsx';
import { endWords } from './session-words.ts';
import { ProviderName } from '../parts/provider-name.tsx';

type Shown = {
  readonly state: 'active' | 'ended';
  /** Whether all that is listed has one provider. */
  readonly hasOneProvider: boolean;
};

export function sessionColumns({ state, hasOneProvider }: Shown): readonly Column<SessionObject>[] {
  return [
    WHO,
    ...(hasOneProvider ? [] : [PROVIDER]),
    SHARE,
    ...FROM,
    SINCE,
    ...(state === 'ended' ? ENDED : ACTIVE),
  ];
}

/** Of a person who is named above the list. */
export function personSessionColumns(): readonly Column<SessionObject>[] {
  return [SHARE, PROVIDER, ...FROM, SINCE, LAST_SEEN];
}

/** The one that all have; null for several, or none. */
export function onlyProviderOf(sessions: readonly SessionObject[]): string | null {
  const [first, ...others] = new Set(sessions.map(({ provider }) => provider));
  return first === undefined || others.length > 0 ? null : first;
}

type SessionColumn = Column<SessionObject>;

const WHO: SessionColumn = {
  title: 'Who',
  sort: 'email',
  cell: ({ email }) => (
    <Link href={`${hrefTo('sessions')}?${new URLSearchParams({ email })}`} title={`All sessions of ${email}`}>
      {email}
    </Link>
  ),
};
const PROVIDER: SessionColumn = {
  title: 'Login',
  room: 'desk',
  cell: ({ provider }) => <ProviderName name={provider} />,
};
const SHARE: SessionColumn = {
  title: 'Share',
  cell: ({ share }) => (share === null ? 'deleted' : <Link href={hrefTo('shares', share)}>{share}</Link>),
};
const FROM: readonly SessionColumn[] = [
  {
    title: 'With',
    room: 'laptop',
    cell: ({ userAgent }) => (
      <span title={userAgent ?? 'Not recorded at the login.'}>{browserWords(userAgent)}</span>
    ),
  },
  { title: 'From', kind: 'address', cell: ({ ip }) => ip ?? 'unknown' },
];
const SINCE: SessionColumn = {
  title: 'Since',
  kind: 'time',
  sort: 'created',
  isLastFirst: true,
  cell: ({ createdAt }) => <Moment at={createdAt} />,
};
const LAST_SEEN: SessionColumn = {
  title: 'Last seen',
  kind: 'time',
  sort: 'last_seen',
  isLastFirst: true,
  cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} />,
};
const ACTIVE: readonly SessionColumn[] = [
  LAST_SEEN,
  { title: 'Checked', kind: 'time', room: 'wide', cell: ({ checkedAt }) => <Moment at={checkedAt} /> },
  { title: 'Ends', kind: 'time', room: 'wide', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
];
const ENDED: readonly SessionColumn[] = [
  { title: 'Ended', kind: 'time', cell: ({ endedAt, expiresAt }) => <Moment at={endedAt ?? expiresAt} /> },
  { title: 'Why', cell: ({ endReason }) => endWords(endReason) },
];

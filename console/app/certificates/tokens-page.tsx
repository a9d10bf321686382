// Request tokens: each is valid for one certificate, for whoever gets its link first.

import type { TokenObject } from '../../../src/wire/certificate.ts';
import { REQUEST_TOKEN_ORDERS } from '../../../src/domain/list-orders.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { certificateName } from '../parts/acts/revoke-certificates.ts';
import { rowActs } from '../parts/acts/row-acts.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { type RowAct, RowMenu } from '../parts/row-menu.tsx';
import { SecretStart } from '../parts/secret-start.tsx';
import { Moment } from '../parts/time-text.tsx';
import { totalText } from '../parts/total-text.ts';
import { useList } from '../parts/use-list.ts';
import { useSort } from '../parts/use-sort.ts';
import { Actor } from '../parts/actor.tsx';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';

export function TokensPage() {
  const may = useMay();
  const [value, setValue] = useQueryValue('state');
  const state = STATES.find((each) => each === value);
  const [one, showOne] = useQueryValue('token');
  const [sort, listSort] = useSort(REQUEST_TOKEN_ORDERS);
  const list = useList(
    ['certificate-tokens', one === '' ? { state, sort } : { one }],
    one === ''
      ? (cursor) => client.certificates.listTokens({ state, sort, cursor, limit: PAGE })
      : async () => ({ items: [await client.certificates.showToken(one)], nextCursor: null }),
    LIVE_MS,
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const { ask, dialog } = useActs<TokenObject>({
    nameOf: certificateName,
    listKey: ['certificate-tokens'],
    left: chosen.keep,
  });
  const mayWrite = may('certificates.write');
  const actions: Column<TokenObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (token) => <RowMenu about={certificateName(token)} acts={menuOf(token, mayWrite ? ask : null)} />,
  };
  return (
    <>
      <PageHead
        title="Request tokens"
        about="Each token is valid for one certificate, until it is redeemed or expires."
      >
        {mayWrite && (
          <>
            <Link className="button" href={hrefTo('certificates', 'tokens', 'list')}>
              From a list
            </Link>
            <Link className="button primary" href={hrefTo('certificates', 'tokens', 'new')}>
              New token
            </Link>
          </>
        )}
      </PageHead>
      <div className="toolbar">
        {one === '' ? (
          <select aria-label="State" value={state ?? ''} onChange={({ target }) => setValue(target.value)}>
            <option value="">Any state</option>
            <option value="open">Open</option>
            <option value="used">Redeemed</option>
            <option value="expired">Expired</option>
          </select>
        ) : (
          <button type="button" onClick={() => showOne('')}>
            Show all tokens
          </button>
        )}
      </div>
      <ListTotal>{totalText(list, { one: 'token' })}</ListTotal>
      <ActBar chosen={chosen} acts={[DELETE_TOKENS]} ask={ask} />
      <ListView
        list={list}
        label="Request tokens"
        id={({ id }) => id}
        nameOf={certificateName}
        {...(one === '' ? { sort: listSort } : {})}
        {...(mayWrite ? { chosen } : {})}
        columns={[...COLUMNS, actions]}
        empty={
          <Empty icon="certificates" title={state === undefined ? 'No tokens' : 'No matching tokens'}>
            <p>
              A token is a link that is valid for one certificate. You say whom it is for; whoever opens the
              link makes the key, and nobody else ever has it.
            </p>
            {mayWrite && (
              <p>
                <Link className="button" href={hrefTo('certificates', 'tokens', 'new')}>
                  Create a token
                </Link>
              </p>
            )}
          </Empty>
        }
      />
      {dialog}
    </>
  );
}

type Ask = (act: Act<TokenObject>, tokens: readonly TokenObject[]) => void;

/** `ask` is null for whoever only reads. */
function menuOf(token: TokenObject, ask: Ask | null): readonly RowAct[] {
  const { certificateId } = token;
  return [
    ...(certificateId === null
      ? []
      : [{ label: 'Show its certificate', href: hrefTo('certificates', certificateId) }]),
    ...(ask === null ? [] : rowActs([DELETE_TOKENS], token, ask)),
  ];
}

const DELETE_TOKENS: Act<TokenObject> = {
  label: 'Delete',
  isDanger: true,
  isFor: ({ usedAt }) => usedAt === null,
  question: (tokens) => {
    const [first] = tokens;
    return tokens.length === 1 && first !== undefined
      ? `Delete the token for ${first.commonName}?`
      : `Delete ${tokens.length} tokens?`;
  },
  about: 'Their links stop working. Issued certificates do not change.',
  action: 'Delete',
  done: (count) => (count === 1 ? 'The token was deleted' : `${count} tokens were deleted`),
  run: ({ id }) => client.certificates.removeToken(id),
};

const COLUMNS: readonly Column<TokenObject>[] = [
  {
    title: 'For',
    cell: ({ commonName, name }) => (
      <>
        {commonName}
        {name !== commonName && <span className="under">{name}</span>}
      </>
    ),
  },
  { title: 'Person', kind: 'address', cell: ({ emailAddress }) => emailAddress ?? '' },
  { title: 'Starts with', room: 'desk', cell: SecretStart },
  { title: 'State', cell: (token) => <TokenState token={token} /> },
  {
    title: 'Expires',
    sort: 'expires',
    kind: 'time',
    cell: ({ expiresAt }) => <Moment at={expiresAt} />,
  },
  {
    title: 'Redeemed',
    sort: 'used',
    isLastFirst: true,
    kind: 'time',
    room: 'laptop',
    cell: ({ usedAt }) => <Moment at={usedAt} none="" />,
  },
  {
    title: 'Created',
    sort: 'created',
    isLastFirst: true,
    kind: 'time',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
  { title: 'Created by', room: 'desk', cell: ({ createdBy }) => <Actor name={createdBy} /> },
];

function TokenState({ token: { usedAt, certificateId, expiresAt } }: { readonly token: TokenObject }) {
  if (usedAt !== null)
    return (
      <>
        <Badge good>redeemed</Badge>
        {certificateId !== null && (
          <Link className="under" href={hrefTo('certificates', certificateId)}>
            its certificate
          </Link>
        )}
      </>
    );
  const isOpen = Date.parse(expiresAt) > Date.now();
  return <Badge tone={isOpen ? 'warn' : 'neutral'}>{isOpen ? 'open' : 'expired'}</Badge>;
}

const STATES = ['open', 'used', 'expired'] as const;
const PAGE = 100;
/** Whoever waits for somebody to redeem one sees it happen. */
const LIVE_MS = 5_000;

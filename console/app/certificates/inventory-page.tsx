// Certificates that were issued: whose, until when, last used where. What is shown is in the address.

import type { CertificateObject } from '../../../src/wire/certificate.ts';
import { parseEmailAddress } from '../../../src/domain/email-address.ts';
import { CERTIFICATE_ORDERS } from '../../../src/domain/list-orders.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { certificateName, REVOKE_CERTIFICATES, useAfterRevoking } from '../parts/acts/revoke-certificates.ts';
import { rowActs } from '../parts/acts/row-acts.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { Empty } from '../parts/empty.tsx';
import { ListTotal } from '../parts/list-total.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { type RowAct, RowMenu } from '../parts/row-menu.tsx';
import { Moment } from '../parts/time-text.tsx';
import { totalText } from '../parts/total-text.ts';
import { useTypedQueryValue } from '../parts/typed-query-value.ts';
import { type List, useList } from '../parts/use-list.ts';
import { useSort } from '../parts/use-sort.ts';
import { SavedViews } from '../parts/views/saved-views.tsx';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { useMay, useMember } from '../shell/session-context.ts';
import { RevokeAllOf } from './revoke.tsx';
import { StateBadge } from './state-badge.tsx';

export function InventoryPage() {
  const may = useMay();
  const { account } = useMember();
  const [q] = useQueryValue('q');
  const [typed, type] = useTypedQueryValue('q');
  const [state, setState] = useQueryValue('state');
  const [expiring, setExpiring] = useQueryValue('expiring');
  const person = parseEmailAddress(q);
  const wanted = {
    // A whole address is one person, whose certificates can be revoked together.
    ...(person === null ? { q: q || undefined } : { email: person }),
    state: expiring === '' ? STATES[state] : 'living',
    expiresWithin: expiring || undefined,
  };
  const [sort, listSort] = useSort(CERTIFICATE_ORDERS);
  const list = useList(['certificates', wanted, sort], (cursor) =>
    client.certificates.list({ ...wanted, sort, cursor, limit: PAGE }),
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const refresh = useAfterRevoking();
  const { ask, dialog } = useActs<CertificateObject>({
    nameOf: certificateName,
    listKey: ['certificates'],
    left: (items, asked) => {
      chosen.keep(items, asked);
      void refresh();
    },
  });
  const mayWrite = may('certificates.write');
  const actions: Column<CertificateObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (certificate) => (
      <RowMenu about={certificateName(certificate)} acts={menuOf(certificate, mayWrite ? ask : null)} />
    ),
  };
  const isFiltered = q !== '' || state !== '' || expiring !== '';
  return (
    <>
      <PageHead
        title="Certificates"
        about="Issued certificates. Shares that require a certificate let their holders in."
      >
        {mayWrite && (
          <Link className="button primary" href={hrefTo('certificates', 'tokens', 'new')}>
            New certificate
          </Link>
        )}
      </PageHead>
      <div className="toolbar" role="search" aria-label="Certificates">
        <input
          type="search"
          aria-label="Find certificates"
          placeholder="Name, person, serial, fingerprint"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
        <select
          aria-label="State"
          value={expiring === '' ? state : 'active'}
          disabled={expiring !== ''}
          onChange={({ target }) => setState(target.value)}
        >
          <option value="">Any state</option>
          <option value="active">Active</option>
          <option value="expired">Expired</option>
          <option value="revoked">Revoked</option>
        </select>
        <select aria-label="Expiring" value={expiring} onChange={({ target }) => setExpiring(target.value)}>
          <option value="">Any expiry</option>
          {[...new Set([...WITHIN, expiring])].filter(Boolean).map((within) => (
            <option key={within} value={within}>
              Expiring within {within}
            </option>
          ))}
        </select>
        <SavedViews account={account.id} list="certificates" holds={HOLDS} />
        {person !== null && typed === q && mayWrite && livingOf(list) !== null && (
          <RevokeAllOf email={person} active={livingOf(list) ?? ''} />
        )}
      </div>
      <ListTotal>{totalText(list, { one: 'certificate' })}</ListTotal>
      <ActBar chosen={chosen} acts={[REVOKE_CERTIFICATES]} ask={ask} />
      <ListView
        list={list}
        label="Certificates"
        id={({ id }) => id}
        nameOf={certificateName}
        sort={listSort}
        {...(mayWrite ? { chosen } : {})}
        columns={[...COLUMNS, actions]}
        empty={isFiltered ? <NoneLikeThat /> : <NoneYet mayMake={mayWrite} />}
      />
      {dialog}
    </>
  );
}

type Ask = (act: Act<CertificateObject>, certificates: readonly CertificateObject[]) => void;

/** `ask` is null for whoever only reads. */
function menuOf(certificate: CertificateObject, ask: Ask | null): readonly RowAct[] {
  const { id, emailAddress, state, apiRole } = certificate;
  const isLiving = state === 'living';
  return [
    { label: 'Show', href: hrefTo('certificates', id) },
    ...(isLiving && apiRole !== 'tunnel'
      ? [
          {
            label: 'What its holder can open',
            href: personAccessHref({ email: emailAddress ?? undefined, certificate: id }),
          },
        ]
      : []),
    ...(ask === null ? [] : rowActs([REVOKE_CERTIFICATES], certificate, ask)),
  ];
}

/** In words; null when none is living. */
function livingOf({ items, more, isEarlier }: List<CertificateObject>): string | null {
  const living = items.filter(({ state }) => state === 'living').length;
  if (living === 0 || isEarlier === true) return null;
  if (more !== null) return 'all certificates';
  return living === 1 ? 'the certificate' : `all ${living} certificates`;
}

function NoneLikeThat() {
  return (
    <Empty icon="search" title="No matching certificates">
      <p>
        Search by part of the name or subject, by the start of the serial number or fingerprint, or by a whole
        email address.
      </p>
      <p>
        <Link className="button" href={hrefTo('certificates')}>
          Show all
        </Link>
      </p>
    </Empty>
  );
}

function NoneYet({ mayMake }: { readonly mayMake: boolean }) {
  return (
    <Empty icon="certificates" title="No certificates yet">
      <p>
        A certificate lets in a person, a device or a program without a login. Create a request token and send
        its link: the browser that opens it creates the key, which never leaves the device.
      </p>
      {mayMake && (
        <p>
          <Link className="button" href={hrefTo('certificates', 'tokens', 'new')}>
            Create a request token
          </Link>
        </p>
      )}
    </Empty>
  );
}

const COLUMNS: readonly Column<CertificateObject>[] = [
  {
    title: 'Certificate',
    cell: ({ id, commonName, name }) => (
      <>
        <Link href={hrefTo('certificates', id)}>{commonName}</Link>
        {name !== commonName && <span className="under">{name}</span>}
      </>
    ),
  },
  { title: 'Person', kind: 'address', cell: ({ emailAddress }) => emailAddress ?? '' },
  { title: 'State', cell: (certificate) => <StateBadge certificate={certificate} /> },
  { title: 'Expires', sort: 'expires', kind: 'time', cell: ({ notAfter }) => <Moment at={notAfter} /> },
  {
    title: 'Last used',
    cell: ({ lastUsedAt, lastUsedOn }) => (
      <>
        <Moment at={lastUsedAt} />
        {lastUsedOn !== null && <span className="under">at {lastUsedOn}</span>}
      </>
    ),
  },
  {
    title: 'Created',
    sort: 'created',
    isLastFirst: true,
    kind: 'time',
    room: 'wide',
    cell: ({ createdAt }) => <Moment at={createdAt} />,
  },
];

const STATES: Readonly<Record<string, 'living' | 'expired' | 'revoked'>> = {
  active: 'living',
  living: 'living',
  expired: 'expired',
  revoked: 'revoked',
};
/** What a saved view keeps of the address. */
const HOLDS = ['q', 'state', 'expiring', 'sort'];
const WITHIN = ['7d', '30d', '90d'];
const PAGE = 100;

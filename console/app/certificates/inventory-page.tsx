// Certificates that were issued: whose, until when, last used where; and how they are revoked.

import { useQueryClient } from '@tanstack/react-query';
import type { CertificateObject } from '../../../src/client/certificate-object.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { useMember } from '../shell/session-context.ts';

export function InventoryPage() {
  const { member } = useMember();
  const queries = useQueryClient();
  const [email, setEmail] = useQueryValue('email');
  const list = useList(['certificates', email], (cursor) =>
    client.certificates.list({ email: email || undefined, cursor, limit: PAGE }),
  );
  const revoke = async ({ id }: CertificateObject) => {
    await client.certificates.revoke(id, {});
    await queries.invalidateQueries({ queryKey: ['certificates'] });
  };
  const revoking: Column<CertificateObject> = {
    title: 'Change',
    cell: (certificate) =>
      certificate.state === 'living' && (
        <Confirm
          label="Revoke"
          title={`Revoke the certificate of ${certificate.commonName}?`}
          action="Revoke"
          run={() => revoke(certificate)}
        >
          <p>Shares refuse it within two seconds, on open connections too. This cannot be undone.</p>
        </Confirm>
      ),
  };
  return (
    <>
      <PageHead title="Certificates">
        <input
          type="search"
          aria-label="Only of this address"
          placeholder="Address"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </PageHead>
      <ListView
        list={list}
        label="Certificates"
        id={({ id }) => id}
        columns={member.role === 'admin' ? [...COLUMNS, revoking] : COLUMNS}
        empty={
          <Empty title="There is no certificate yet">
            <p>
              Make a request token, and send its link to somebody: their browser makes the key, and it never
              leaves their device.
            </p>
            <p>
              <Link className="button primary" href={hrefTo('certificates', 'tokens')}>
                Make a token
              </Link>
            </p>
          </Empty>
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<CertificateObject>[] = [
  {
    title: 'Common name',
    cell: ({ commonName, fingerprint }) => <span title={`SHA-256 ${fingerprint}`}>{commonName}</span>,
  },
  { title: 'Unit', cell: ({ organizationalUnit }) => organizationalUnit ?? '' },
  { title: 'Address', cell: ({ emailAddress }) => emailAddress ?? '' },
  { title: 'State', cell: ({ state }) => <Badge good={state === 'living'}>{state}</Badge> },
  { title: 'Expires', cell: ({ notAfter }) => <Moment at={notAfter} /> },
  {
    title: 'Last used',
    cell: ({ lastUsedAt, lastUsedOn, lastUsedFrom }) => (
      <>
        <Moment at={lastUsedAt} />
        {lastUsedAt !== null &&
          ` at ${lastUsedOn ?? 'a share that is gone'} from ${lastUsedFrom ?? 'unknown'}`}
      </>
    ),
  },
];

const PAGE = 100;

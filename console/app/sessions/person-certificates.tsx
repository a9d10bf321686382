// The active certificates of one person, to be revoked here.

import type { CertificateObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { ActBar } from '../parts/acts/act-bar.tsx';
import { certificateName, REVOKE_CERTIFICATES, useAfterRevoking } from '../parts/acts/revoke-certificates.ts';
import { rowActs } from '../parts/acts/row-acts.ts';
import { useActs } from '../parts/acts/use-acts.tsx';
import { useChosen } from '../parts/acts/use-chosen.ts';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Panel } from '../parts/panel.tsx';
import { RowMenu } from '../parts/row-menu.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { AllOfPerson } from './all-of-person.tsx';

export function PersonCertificates({ email }: { readonly email: string }) {
  const mayRevoke = useMay()('certificates.write');
  const list = useList(['certificates', { person: email }], (cursor) =>
    client.certificates.list({ email, state: 'living', cursor, limit: SHOWN }),
  );
  const chosen = useChosen(list.items, ({ id }) => id);
  const refresh = useAfterRevoking();
  const { ask, dialog } = useActs<CertificateObject>({
    nameOf: certificateName,
    // The summary counts certificates, too.
    listKey: ['sessions', 'person', email],
    left: (items, asked) => {
      chosen.keep(items, asked);
      void refresh();
    },
  });
  // What was just done to the last of them is still told.
  if (list.items.length === 0 && list.error === null && dialog === false) return null;
  const actions: Column<CertificateObject> = {
    title: 'Actions',
    kind: 'actions',
    cell: (certificate) => (
      <RowMenu about={certificateName(certificate)} acts={rowActs([REVOKE_CERTIFICATES], certificate, ask)} />
    ),
  };
  return (
    <Panel
      title="Active certificates"
      actions={<AllOfPerson area="certificates" name="q" email={email} what="certificates" />}
    >
      <ActBar chosen={chosen} acts={[REVOKE_CERTIFICATES]} ask={ask} />
      <ListView
        list={{ ...list, more: null }}
        label="Active certificates of this person"
        id={({ id }) => id}
        nameOf={certificateName}
        {...(mayRevoke ? { chosen } : {})}
        columns={mayRevoke ? [...CERTIFICATES, actions] : CERTIFICATES}
        empty={null}
      />
      {dialog}
    </Panel>
  );
}

const CERTIFICATES: readonly Column<CertificateObject>[] = [
  { title: 'Name', cell: ({ id, name }) => <Link href={hrefTo('certificates', id)}>{name}</Link> },
  { title: 'Common name', cell: ({ commonName }) => commonName },
  { title: 'Expires', cell: ({ notAfter }) => <Moment at={notAfter} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
];
const SHOWN = 10;

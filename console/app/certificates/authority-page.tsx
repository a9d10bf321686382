// The account's own authority: its certificates, their revocation lists, and how another takes its place.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuthorityObject } from '../../../src/wire/certificate.ts';
import { endsWithinYear } from '../../../src/domain/authority-end.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Icon } from '../parts/icons.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useMay } from '../shell/session-context.ts';
import { fileNameOf, inPairs } from './certificate-text.ts';
import { SaveFile } from './save-file.tsx';

export function AuthorityPage() {
  const may = useMay();
  const authorities = useQuery({
    queryKey: ['authorities'],
    queryFn: () => client.certificates.authorities(),
  });
  return (
    <>
      <PageHead
        title="Authority"
        about="It signs the account’s certificates. Whoever checks them without the gateway, such as nginx on another machine, needs the two files below, and fetches the second one as often as a revocation must be known."
      >
        {may('certificates.write') && <Rotate />}
      </PageHead>
      {authorities.isError && <ProblemNote error={authorities.error} retry={authorities.refetch} />}
      {authorities.isPending && <Loading what="the authorities" />}
      {authorities.data !== undefined && (
        <>
          <Facts
            facts={[
              {
                title: 'Whom to trust',
                value: <CopyText text={authorities.data.bundleUrl} label="the address of the bundle" opens />,
              },
              {
                title: 'What is revoked',
                value: (
                  <CopyText
                    text={listsUrl(authorities.data.bundleUrl)}
                    label="the address of the revocation list"
                    opens
                  />
                ),
              },
            ]}
          />
          {authorities.data.items.map((authority) => (
            <Authority key={authority.id} authority={authority} />
          ))}
        </>
      )}
    </>
  );
}

/** The lists of all authorities that are trusted, in PEM, as nginx reads them: that of one alone refuses what another signed. */
function listsUrl(bundleUrl: string): string {
  return new URL('crl.pem', bundleUrl).href;
}

function Authority({ authority }: { readonly authority: AuthorityObject }) {
  const { id, commonName, certificate, fingerprint, createdAt, notAfter, issuing, revocationList } =
    authority;
  const name = commonName ?? id;
  return (
    <Panel
      title={name}
      actions={
        <>
          {issuing && endsWithinYear(Date.parse(notAfter), Date.now()) && (
            <Badge tone="warn">expires within a year: replace it</Badge>
          )}
          <Badge tone={issuing ? 'good' : 'neutral'}>
            {issuing ? 'issues' : 'trusted, issues nothing more'}
          </Badge>
        </>
      }
    >
      <Facts
        facts={[
          {
            title: 'SHA-256',
            value: <CopyText text={inPairs(fingerprint)} label={`the fingerprint of ${name}`} />,
          },
          {
            title: 'Valid',
            value: (
              <>
                begins <Moment at={createdAt} />, ends <Moment at={notAfter} />
              </>
            ),
          },
          { title: 'Revoked', value: entriesText(revocationList.entries) },
          {
            title: 'Revocation list',
            value: (
              <>
                number {revocationList.number}, signed <Moment at={revocationList.thisUpdate} />, expires{' '}
                <Moment at={revocationList.nextUpdate} />
              </>
            ),
          },
        ]}
      />
      <div className="row">
        <SaveFile name={`${fileNameOf(name)}.pem`} text={certificate}>
          Save the certificate
        </SaveFile>
        <a className="button" href={revocationList.url} download>
          <Icon name="download" />
          Save the revocation list
        </a>
      </div>
    </Panel>
  );
}

function Rotate() {
  const queries = useQueryClient();
  const tell = useTell();
  return (
    <Confirm
      label="Replace"
      title="Put a new authority in the place of this one?"
      action="Replace it"
      run={async () => {
        const { commonName, id } = await client.certificates.rotateAuthority();
        tell('A new authority issues', commonName ?? id);
        await queries.invalidateQueries({ queryKey: ['authorities'] });
      }}
    >
      <p>
        New certificates and renewals are signed by the new one. The one before issues nothing more, but stays
        trusted until the last certificate that it issued is over or revoked, for an hour at least: nobody is
        locked out. Machines that trust the bundle must fetch it again before the first new certificate comes
        to them.
      </p>
    </Confirm>
  );
}

function entriesText(entries: number): string {
  if (entries === 0) return 'Nothing is revoked';
  return entries === 1 ? '1 certificate is revoked' : `${entries} certificates are revoked`;
}

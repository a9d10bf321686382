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
        title="Certificate authority"
        about="It signs the account’s certificates. To check them without the gateway, for example in nginx on another machine, use the two files below, and fetch the second one as often as you need to learn of revocations."
      >
        {may('certificates.write') && <Rotate />}
      </PageHead>
      {authorities.isError && <ProblemNote error={authorities.error} retry={authorities.refetch} />}
      {authorities.isPending && <Loading what="the certificate authorities" />}
      {authorities.data !== undefined && (
        <>
          <Facts
            facts={[
              {
                title: 'CA certificates',
                value: <CopyText text={authorities.data.bundleUrl} label="the address of the bundle" opens />,
              },
              {
                title: 'CRL',
                value: (
                  <CopyText
                    text={listsUrl(authorities.data.bundleUrl)}
                    label="the address of the CRL"
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

/**
 * The lists of all authorities that are trusted, in PEM, as nginx reads them: that of one alone refuses what
 * another signed.
 */
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
            {issuing ? 'issues' : 'trusted, no longer issues'}
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
          { title: 'Valid since', value: <Moment at={createdAt} /> },
          { title: 'Expires', value: <Moment at={notAfter} exact /> },
          { title: 'Revoked', value: entriesText(revocationList.entries) },
          {
            title: 'CRL',
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
          Save the CRL
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
      title="Replace the certificate authority?"
      action="Replace it"
      run={async () => {
        const { commonName, id } = await client.certificates.rotateAuthority();
        tell('The certificate authority was replaced', commonName ?? id);
        await queries.invalidateQueries({ queryKey: ['authorities'] });
      }}
    >
      <p>
        The new CA signs new certificates and renewals. The previous one stops issuing, but stays trusted
        until the last certificate that it issued has expired or is revoked, and for at least an hour: nobody
        is locked out. Machines that trust the bundle must fetch it again before the first new certificate
        reaches them.
      </p>
    </Confirm>
  );
}

function entriesText(entries: number): string {
  if (entries === 0) return 'Nothing is revoked';
  return entries === 1 ? '1 certificate is revoked' : `${entries} certificates are revoked`;
}

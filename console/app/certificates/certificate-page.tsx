// One certificate: what it says, where it comes from, how it was used, and how it ends.

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CertificateObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { CodeBlock, CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { Actor } from '../parts/actor.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { isReason, REASONS } from '../parts/revocation-reasons.ts';
import { fileNameOf, inPairs, subjectText } from './certificate-text.ts';
import { RenewalLine } from './renewal-line.tsx';
import { RevokeOne } from './revoke.tsx';
import { SaveFile } from './save-file.tsx';
import { StateBadge } from './state-badge.tsx';

export function CertificatePage({ id }: { readonly id: string }) {
  const may = useMay();
  const certificate = useQuery({
    queryKey: ['certificates', 'one', id],
    queryFn: () => client.certificates.show(id),
  });
  return (
    <>
      {certificate.isError && (
        <>
          <PageHead title="Certificate" back={BACK} />
          <ProblemNote error={certificate.error} retry={certificate.refetch} />
        </>
      )}
      {certificate.isPending && (
        <>
          <PageHead title="Certificate" back={BACK} />
          <Loading what="the certificate" />
        </>
      )}
      {certificate.data !== undefined && (
        <>
          <PageHead
            title={certificate.data.commonName}
            back={BACK}
            badge={<StateBadge certificate={certificate.data} />}
            about={certificate.data.name}
          >
            {certificate.data.state === 'living' && certificate.data.apiRole !== 'tunnel' && (
              <Link
                className="button"
                href={personAccessHref({
                  email: certificate.data.emailAddress ?? undefined,
                  certificate: certificate.data.id,
                })}
              >
                What its holder can open
              </Link>
            )}
            {may('certificates.write') && certificate.data.state === 'living' && (
              <RevokeOne certificate={certificate.data} />
            )}
          </PageHead>
          <CertificateFacts certificate={certificate.data} />
          <RenewalLine certificate={certificate.data} />
          <Panel
            title="The certificate"
            about="PEM. It is not secret: only its holder has the key."
            actions={
              <SaveFile
                name={`${fileNameOf(certificate.data.name)}.cert.pem`}
                text={certificate.data.certificate}
              >
                Save
              </SaveFile>
            }
          >
            <CodeBlock text={certificate.data.certificate.trim()} label="the certificate" />
          </Panel>
        </>
      )}
    </>
  );
}

const BACK = { title: 'Certificates', href: hrefTo('certificates') };

function CertificateFacts({ certificate }: { readonly certificate: CertificateObject }) {
  const { emailAddress, revokedAt, revocationReason, revokedBy, lastUsedAt, lastUsedOn, lastUsedFrom } =
    certificate;
  const facts: Readonly<Record<string, ReactNode>> = {
    Subject: <code>{subjectText(certificate)}</code>,
    Person: emailAddress === null ? 'none named' : <Person email={emailAddress} />,
    ...(revokedAt === null
      ? {}
      : {
          Revoked: (
            <>
              <Moment at={revokedAt} /> by <Actor name={revokedBy} />
              {revocationReason !== null && isReason(revocationReason) && `: ${REASONS[revocationReason]}`}
            </>
          ),
        }),
    'Valid since': <Moment at={certificate.notBefore} />,
    Expires: <Moment at={certificate.notAfter} exact />,
    'Last used': (
      <>
        <Moment at={lastUsedAt} />
        {lastUsedOn !== null && (
          <>
            {' at '}
            <UsedOn place={lastUsedOn} />
          </>
        )}
        {lastUsedFrom !== null && ` from ${lastUsedFrom}`}
      </>
    ),
    'Control API':
      certificate.apiRole === null
        ? 'no access'
        : certificate.apiRole === 'tunnel'
          ? 'may serve shares, like an API key of scope tunnel'
          : `has the role ${certificate.apiRole}`,
    'Allowed by': <Actor name={certificate.allowedBy} />,
    Serial: <CopyText text={certificate.serial} label="the serial number" />,
    'SHA-256': <CopyText text={inPairs(certificate.fingerprint)} label="the fingerprint" />,
  };
  return <Facts facts={Object.entries(facts).map(([title, value]) => ({ title, value }))} />;
}

function Person({ email }: { readonly email: string }) {
  return (
    <>
      <Link href={`${hrefTo('certificates')}?${new URLSearchParams({ q: email })}`}>{email}</Link>
      {', '}
      <Link href={`${hrefTo('sessions')}?${new URLSearchParams({ email })}`}>their sessions</Link>
    </>
  );
}

/** A share by its name, or `control`. */
function UsedOn({ place }: { readonly place: string }) {
  return place === 'control' ? 'the control API' : <Link href={hrefTo('shares', place)}>{place}</Link>;
}

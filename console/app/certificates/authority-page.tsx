// The account's own authority: its certificates, where they and the revocation list are fetched, and how another takes its place.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useMay } from '../shell/session-context.ts';

export function AuthorityPage() {
  const may = useMay();
  const queries = useQueryClient();
  const authorities = useQuery({
    queryKey: ['authorities'],
    queryFn: () => client.certificates.authorities(),
  });
  const rotate = async () => {
    await client.certificates.rotateAuthority();
    await queries.invalidateQueries({ queryKey: ['authorities'] });
  };
  if (authorities.isError) return <ProblemNote error={authorities.error} retry={authorities.refetch} />;
  if (authorities.data === undefined)
    return (
      <p className="soft" aria-busy="true">
        Loading…
      </p>
    );
  const { items, bundleUrl, crlUrl } = authorities.data;
  return (
    <>
      <PageHead title="Authority">
        {may('certificates.write') && (
          <Confirm label="Rotate" title="Put another authority in its place?" action="Rotate" run={rotate}>
            <p>
              New certificates are signed by the new one. The old one stays trusted until its last certificate
              is over; services that trust the bundle must fetch it again.
            </p>
          </Confirm>
        )}
      </PageHead>
      <dl>
        <div>
          <dt>Bundle</dt>
          <dd>
            <CopyText text={bundleUrl} label="the address of the bundle" />
          </dd>
        </div>
        <div>
          <dt>Revocation list</dt>
          <dd>
            <CopyText text={crlUrl} label="the address of the revocation list" />
          </dd>
        </div>
        {items.map(({ id, fingerprint, notAfter, issuing }) => (
          <div key={id}>
            <dt>
              SHA-256 <Badge good={issuing}>{issuing ? 'issues' : 'trusted only'}</Badge>
            </dt>
            <dd>
              <code>{fingerprint}</code>, expires <Moment at={notAfter} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

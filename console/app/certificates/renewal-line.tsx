// The line that a certificate is part of: what was redeemed for one token, and each renewal after it.

import { useQuery } from '@tanstack/react-query';
import type { CertificateObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link } from '../router.tsx';
import { StateBadge } from './state-badge.tsx';

export function RenewalLine({ certificate: { id, tokenId } }: { readonly certificate: CertificateObject }) {
  const line = useQuery({
    queryKey: ['certificates', 'line', tokenId],
    queryFn: () => client.certificates.list({ token: tokenId ?? '', limit: LONGEST }),
    enabled: tokenId !== null,
  });
  const items = line.data?.items ?? [];
  if (items.length < 2) return null;
  return (
    <Panel title="Renewals" about="What was issued for one request token, one after the other.">
      <ol className="line">
        {items.map((each) => (
          <li key={each.id} aria-current={each.id === id ? 'true' : undefined}>
            {each.id === id ? (
              <strong>This one</strong>
            ) : (
              <Link href={hrefTo('certificates', each.id)}>
                {each.renewedFrom === null ? 'The first' : 'Renewed'}
              </Link>
            )}{' '}
            <Moment at={each.createdAt} />, expires <Moment at={each.notAfter} />{' '}
            <StateBadge certificate={each} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** A line has fewer that are good at once, and old ones are swept away. */
const LONGEST = 100;

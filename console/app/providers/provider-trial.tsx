// A real login at the provider, in a tab of its own. What came of it is read from the audit log: the other
// tab and this one know nothing of each other.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { FAULTS } from '../../../src/domain/service-error.ts';
import { client } from '../api/client.ts';
import { Icon } from '../parts/icons.tsx';
import { Note } from '../parts/note.tsx';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMay, useMember } from '../shell/session-context.ts';

export function ProviderTrial({ name }: { readonly name: string }) {
  const may = useMay();
  const { account } = useMember();
  // The last trial that was known when this one began, and when that was.
  const [begun, begin] = useState<{ readonly after: string | null; readonly at: number } | null>(null);
  const trials = useQuery({
    queryKey: ['audit', 'trial', name],
    queryFn: async () =>
      (await client.auditEvents.list({ kind: ['provider.tried'], provider: name, limit: 1 })).items,
    enabled: may('audit.read'),
    refetchInterval: ({ state }) => (isWaiting(begun, state.data?.[0]) ? ASK_MS : false),
    refetchIntervalInBackground: true,
  });
  const last = trials.data?.[0];
  return (
    <Panel
      title="A real login"
      about="Log in at the provider in a new tab, with any account there, and see the result: the address, whether it is verified, and which shares would let it in. It opens nothing here and creates no session; at the provider, this browser stays logged in with that account."
      actions={
        <a
          className="button"
          href={`/auth/trial?${new URLSearchParams({ provider: name, account: account.id })}`}
          target="_blank"
          rel="noreferrer noopener"
          onClick={() => begin({ after: last?.id ?? null, at: Date.now() })}
        >
          Try a real login <Icon name="external" />
        </a>
      }
    >
      <div aria-live="polite" className="news">
        {isWaiting(begun, last) ? (
          <p className="soft">Waiting for the login in the other tab…</p>
        ) : (
          last !== undefined && <LastTrial event={last} />
        )}
      </div>
    </Panel>
  );
}

function LastTrial({ event: { email, reason, at } }: { readonly event: AuditEventObject }) {
  const audit = `${hrefTo('audit')}?${new URLSearchParams({ kind: 'provider.tried' })}`;
  return (
    <Note tone={reason === null ? 'good' : 'warn'}>
      <span>
        {reason === null ? (
          <>
            The login works: <strong>{email}</strong> came back
          </>
        ) : (
          <>The login did not work: {titleOf(reason)}</>
        )}
        , <Moment at={at} />. <Link href={audit}>All trials</Link>
      </span>
    </Note>
  );
}

function titleOf(reason: string): string {
  return Object.hasOwn(FAULTS, reason) ? FAULTS[reason as keyof typeof FAULTS].title.toLowerCase() : reason;
}

function isWaiting(
  begun: { readonly after: string | null; readonly at: number } | null,
  last: AuditEventObject | undefined,
): boolean {
  return begun !== null && (last?.id ?? null) === begun.after && Date.now() - begun.at < PATIENCE_MS;
}

const ASK_MS = 2_000;
/** A login that takes longer was given up; the next one is found, too. */
const PATIENCE_MS = 10 * 60_000;

// A real login at the provider, in a tab of its own. What came of it is read with the provider: the other tab
// and this one know nothing of each other.

import { useEffect, useRef, useState } from 'react';
import type { ProviderFindingObject } from '../../../src/wire/provider.ts';
import { Icon } from '../parts/icons.tsx';
import { Panel } from '../parts/panel.tsx';
import { hrefTo, Link } from '../router.tsx';
import { useMember } from '../shell/session-context.ts';
import { LastFinding } from './last-finding.tsx';

type ProviderTrialProps = {
  readonly name: string;
  /** What is kept of the last one. */
  readonly last: ProviderFindingObject | null;
  readonly mayTry: boolean;
  /** Reads the provider again. */
  readonly look: () => void;
};

export function ProviderTrial({ name, last, mayTry, look }: ProviderTrialProps) {
  const { account } = useMember();
  const looking = useRef(look);
  useEffect(() => {
    looking.current = look;
  });
  // The last trial that was known when this one began, and when that was.
  const [begun, begin] = useState<Begun | null>(null);
  const isWaiting = begun !== null && (last?.at ?? null) === begun.after;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => {
      if (Date.now() - begun.at > PATIENCE_MS) begin(null);
      else looking.current();
    }, ASK_MS);
    return () => clearInterval(timer);
  }, [isWaiting, begun]);
  return (
    <Panel
      title="A real login"
      about="Log in at the provider in a new tab, with any account there, and see the result: the address, whether it is verified, and which shares would let it in. It opens nothing here and creates no session; at the provider, this browser stays logged in with that account."
      actions={
        mayTry && (
          <a
            className="button"
            href={`/auth/trial?${new URLSearchParams({ provider: name, account: account.id })}`}
            target="_blank"
            rel="noreferrer noopener"
            onClick={() => begin({ after: last?.at ?? null, at: Date.now() })}
          >
            Try a real login <Icon name="external" />
          </a>
        )
      }
    >
      <div aria-live="polite" className="news">
        {isWaiting ? (
          <p className="soft">Waiting for the login in the other tab…</p>
        ) : (
          last !== null && (
            <>
              <LastFinding found={last} />
              <p>
                <Link href={`${hrefTo('audit')}?${new URLSearchParams({ kind: 'provider.tried' })}`}>
                  All trials
                </Link>
              </p>
            </>
          )
        )}
      </div>
    </Panel>
  );
}

type Begun = { readonly after: string | null; readonly at: number };

const ASK_MS = 2_000;
/** A login that takes longer was given up; the next one is found, too. */
const PATIENCE_MS = 10 * 60_000;

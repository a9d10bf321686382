// Examines a provider: what it publishes, whether it answers, whether it knows us; each finding with what to
// do about it.

import { useQuery } from '@tanstack/react-query';
import type { ProviderFindingObject } from '../../../src/wire/provider.ts';
import type { ProviderTestObject } from '../../../src/wire/provider-test.ts';
import type { Check } from '../../../src/domain/check.ts';
import { client } from '../api/client.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Facts } from '../parts/facts.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Working } from '../parts/working.tsx';
import { Words } from '../parts/words.tsx';
import { LastFinding } from './last-finding.tsx';
import { useQueryValue } from '../router.tsx';

type ProviderTestProps = {
  readonly name: string;
  /** What is kept of the last one. */
  readonly last: ProviderFindingObject | null;
  readonly mayTest: boolean;
  /** Reads the provider again, which nothing here may depend on. */
  readonly tested: () => void;
};

export function ProviderTest({ name, last, mayTest, tested }: ProviderTestProps) {
  // In the address: whoever just defined or changed it comes here with the question asked.
  const [asked, ask] = useQueryValue('test');
  const test = useQuery({
    queryKey: ['provider-test', name],
    queryFn: async () => {
      const found = await client.providers.test(name);
      tested();
      return found;
    },
    enabled: asked !== '' && mayTest,
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <Panel
      title="Test"
      about="Asks the provider what it supports, and whether it knows this service. It changes nothing there, and needs no login."
      actions={
        mayTest && (
          <button
            type="button"
            disabled={test.isFetching}
            aria-busy={test.isFetching}
            onClick={() => (asked === '' ? ask('1') : void test.refetch())}
          >
            {test.isFetching && <Working />}
            {test.isFetching ? 'Asking…' : test.data === undefined ? 'Run the test' : 'Test again'}
          </button>
        )
      }
    >
      <div aria-live="polite" className="stack news">
        {test.isError && !test.isFetching && <ProblemNote error={test.error} />}
        {test.data !== undefined && <Found found={test.data} />}
        {test.data === undefined && !test.isFetching && last !== null && <LastFinding found={last} />}
      </div>
    </Panel>
  );
}

function Found({ found }: { readonly found: ProviderTestObject }) {
  const { passed, checks, redirectUrl, backchannelLogoutUrl, postLogoutRedirectUrl, notSeen } = found;
  const failed = checks.filter(({ state }) => state === 'fail').length;
  return (
    <>
      <p>
        <strong>
          {passed
            ? 'Logins can work.'
            : `Logins cannot work yet: ${failed === 1 ? '1 thing' : `${failed} things`} to fix.`}
        </strong>
      </p>
      <ul className="checks">
        {checks.toSorted(worstFirst).map((check) => (
          <CheckRow key={check.name} check={check} />
        ))}
      </ul>
      <details open={!passed}>
        <summary>Addresses to register there</summary>
        <Facts
          facts={[
            { title: 'Redirect URL', value: <CopyText text={redirectUrl} label="the redirect URL" /> },
            optionalAddress('Back-channel logout', backchannelLogoutUrl),
            optionalAddress('After logout', postLogoutRedirectUrl),
          ]}
        />
        <p className="soft small">Check at the provider itself: {notSeen.join(', ')}.</p>
      </details>
    </>
  );
}

function CheckRow({ check: { name, state, found, next } }: { readonly check: Check }) {
  return (
    <li>
      <Badge tone={TONES[state]}>{WORDS[state]}</Badge>
      <div>
        <strong>{name}</strong>{' '}
        <span className="soft">
          <Words text={found} />
        </span>
        {next !== null && (
          <p>
            <Words text={next} />
          </p>
        )}
      </div>
    </li>
  );
}

function optionalAddress(title: string, address: string | null) {
  return address === null
    ? null
    : { title, value: <CopyText text={address} label={`the address: ${title}`} /> };
}

function worstFirst(a: Check, b: Check): number {
  return ORDER.indexOf(a.state) - ORDER.indexOf(b.state);
}

const ORDER: readonly Check['state'][] = ['fail', 'warn', 'ok'];
const WORDS: Readonly<Record<Check['state'], string>> = {
  ok: 'passed',
  warn: 'warning',
  fail: 'failed',
};
const TONES: Readonly<Record<Check['state'], Tone>> = { ok: 'good', warn: 'warn', fail: 'bad' };

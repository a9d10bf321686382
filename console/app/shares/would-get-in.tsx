// "Would this address get in, and why": the gate's own answer about somebody who has just logged in, rule by
// rule. While the settings are edited, it answers for them as typed.

import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useEffectEvent, useState } from 'react';
import { SETTINGS } from '../../../src/domain/share-values.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import type { ShareTest, ShareTestInput } from '../../../src/wire/share-test.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { faultAt, faultsOf } from '../parts/faults.ts';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useSettled } from '../parts/use-settled.ts';
import { Words } from '../parts/words.tsx';
import { useRouter } from '../router.tsx';
import { MoreFacts } from './more-facts.tsx';
import type { TypedSettings } from './settings-section.tsx';
import { type FactDraft, factsOf, readFacts, saysSomething, writeFacts } from './tested-facts.ts';
import { rulesFaultsText } from './rules/rule-faults.ts';
import { TestedRules } from './tested-rules.tsx';

type WouldGetInProps = {
  readonly share: ShareObject;
  /** What somebody types in the form of its settings: the answer is for that. Null while nobody does. */
  readonly typed: TypedSettings | null;
};

export function WouldGetIn({ share, typed }: WouldGetInProps) {
  // In the address, so that the question can be sent to somebody else.
  const { place, go } = useRouter();
  const asked = readFacts(place.query);
  const [draft, setDraft] = useState(asked);
  const settings = useSettled(JSON.stringify(typed?.changes ?? null), PAUSE_MS);
  // Below the share, so that a change of its rules asks again. Of what is not saved, the older question is
  // given up, and its answer with it.
  const test = useQuery<ShareTest>({
    queryKey: ['shares', share.name, 'admission', asked, settings],
    queryFn: ({ signal }) =>
      client.shares.test(share.id, { ...factsOf(asked), ...unsaved(settings) }, signal),
    enabled: saysSomething(asked),
    // The older answer stays in sight, and says that it is older.
    ...(typed === null ? {} : { placeholderData: keepPreviousData }),
  });
  const ask = () => {
    const query = writeFacts(place.query, draft).toString();
    if (query === place.query.toString()) return false;
    go(`${location.pathname}${query === '' ? '' : `?${query}`}`, 'replace');
    return true;
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!ask()) void test.refetch();
  };
  // While somebody edits, the question is asked as it is typed, too.
  const settledFacts = useSettled(JSON.stringify(draft), PAUSE_MS);
  const askLive = useEffectEvent(() => {
    if (typed !== null) ask();
  });
  useEffect(() => askLive(), [settledFacts]);
  const change = (changes: Partial<FactDraft>) => setDraft((known) => ({ ...known, ...changes }));
  return (
    <Panel
      title="Would this address get in?"
      about={
        typed === null
          ? 'The gateway’s own decision about someone who has just logged in.'
          : 'Tests the settings as typed, before they are saved. The answer follows as you type.'
      }
    >
      <form className="form question" onSubmit={submit}>
        <div className="row">
          <input
            type="text"
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_ADDRESS}
            aria-label="Email address"
            placeholder="ann@example.com"
            value={draft.email}
            onChange={({ target }) => change({ email: target.value })}
          />
          <button type="submit" disabled={typed === null && test.isFetching}>
            Ask
          </button>
        </div>
        <MoreFacts draft={draft} change={change} faults={faultsOf(test.error)} />
      </form>
      <div
        aria-live="polite"
        className="tested"
        aria-busy={test.isPlaceholderData}
        data-old={test.isPlaceholderData}
      >
        <Tested test={test} typed={typed} />
      </div>
    </Panel>
  );
}

type TestedProps = Pick<WouldGetInProps, 'typed'> & {
  readonly test: Pick<UseQueryResult<ShareTest>, 'error' | 'data'>;
};

function Tested({ test: { error, data }, typed }: TestedProps) {
  if (typed?.isUnread === true) return <p className="soft">The text of the rules cannot be read yet.</p>;
  if (error !== null) {
    const unfinished = unfinishedText(error);
    if (unfinished === '') return <ProblemNote error={error} />;
    return (
      <p className="soft">
        Not tested yet. <Words text={unfinished} />
      </p>
    );
  }
  return data === undefined ? null : <Answer found={data} />;
}

function unsaved(settings: string): Pick<ShareTestInput, 'settings'> {
  const changes = JSON.parse(settings) as ShareTestInput['settings'] | null;
  return changes === null ? {} : { settings: changes };
}

/** What is wrong with the settings, which they are while somebody types them; empty for anything else. */
function unfinishedText(error: unknown): string {
  const found = Object.entries(faultsOf(error)).filter(([path]) => path.startsWith(PLACE));
  const faults = Object.fromEntries(found.map(([path, message]) => [path.slice(PLACE.length), message]));
  const ofRules = rulesFaultsText(faults);
  if (ofRules !== '') return ofRules;
  const [path = ''] = Object.keys(faults);
  const label = SETTINGS.find(([name]) => path === name || path.startsWith(`${name}.`))?.[1].form.label;
  return label === undefined ? '' : `${label}: ${faultAt(faults, path) ?? ''}`;
}

function Answer({ found }: { readonly found: ShareTest }) {
  const who = found.email ?? 'A visitor like that';
  const { tone, word, says } = OUTCOMES[found.outcome];
  return (
    <>
      <p>
        <Badge tone={tone}>{word}</Badge> {`${who} ${says}`}
      </p>
      <p>
        {`${found.detail.slice(0, 1).toUpperCase()}${found.detail.slice(1)}.`}
        {found.allowed && found.needsVerifiedEmail && ' The provider must say that the address is verified.'}
      </p>
      <TestedRules rules={found.rules} />
    </>
  );
}

const OUTCOMES = {
  allowed: { tone: 'good', word: 'yes', says: 'would get in.' },
  depends: { tone: 'warn', word: 'depends', says: 'may get in.' },
  refused: { tone: 'bad', word: 'no', says: 'would not get in.' },
} as const;
/** Longer than any address; what the API takes. */
const MAX_ADDRESS = 300;
/** Shorter than anybody waits, longer than between two letters. */
const PAUSE_MS = 350;
/** What the API's faults of unsaved settings begin with. */
const PLACE = 'settings.';

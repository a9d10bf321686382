// The links of a list as they are made, a few at a time: each to copy or to send, all as a file. What failed
// is tried again alone.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { createTokens, type TokenOutcome } from '../../../src/client/create-tokens.ts';
import type { MadeToken, NewTokenObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { CopyButton } from '../parts/copy-text.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { mailLink } from '../parts/mail-link.ts';
import { Note } from '../parts/note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { countOf } from '../parts/numbers.ts';
import { problemOf } from '../parts/problem-note.tsx';
import { wholeList } from '../parts/use-list.ts';
import { hrefTo, useStay } from '../router.tsx';
import { SaveFile } from './save-file.tsx';
import { linksFile } from './token-list.ts';

type Line = {
  readonly place: number;
  readonly wanted: NewTokenObject;
  readonly outcome: TokenOutcome | null;
};

export function MadeLinks({ wanted }: { readonly wanted: readonly NewTokenObject[] }) {
  const [outcomes, setOutcomes] = useState<readonly (TokenOutcome | null)[]>(() => wanted.map(() => null));
  const [isRunning, setRunning] = useState(false);
  const queries = useQueryClient();
  const came = (place: number, outcome: TokenOutcome) => setOutcomes((before) => before.with(place, outcome));
  const run = async (earlier: readonly (TokenOutcome | null)[]) => {
    setRunning(true);
    await createTokens(client.certificates, { wanted, earlier, came });
    setRunning(false);
    await queries.invalidateQueries({ queryKey: ['certificate-tokens'] });
  };
  const begun = useRef(false);
  useEffect(() => {
    // Once, also where effects run twice.
    if (begun.current) return;
    begun.current = true;
    void run(outcomes);
  });
  const made = outcomes.filter((outcome) => outcome !== null && outcome.made !== null).length;
  const [saved, setSaved] = useState(0);
  useStay(isRunning || made > saved ? LEAVING : null);
  const failed = outcomes.filter((outcome) => outcome !== null && outcome.made === null).length;
  const lines = wanted.map((each, place) => ({ place, wanted: each, outcome: outcomes[place] ?? null }));
  return (
    <>
      <PageHead
        title={`${made} of ${wanted.length} links`}
        back={{ title: 'Request tokens', href: hrefTo('certificates', 'tokens') }}
      >
        {failed > 0 && (
          <button type="button" disabled={isRunning} onClick={() => void run(outcomes)}>
            Retry {failed} failed
          </button>
        )}
        {made > 0 && !isRunning && (
          <SaveFile
            name="certificate-links.csv"
            text={linksFile(outcomes)}
            type="text/csv"
            onSave={() => setSaved(made)}
          >
            Download links
          </SaveFile>
        )}
      </PageHead>
      <Note tone="warn">
        <p>
          <strong>The links are shown only once, and each works once.</strong> Whoever opens a link first gets
          the certificate, so send each over a secure channel, and delete the file afterwards.
        </p>
      </Note>
      <p className="unseen" role="status">
        {isRunning ? '' : `Created: ${countOf(made, 'link')}. Failed: ${failed}.`}
      </p>
      <ListView
        list={wholeList(lines)}
        label="Links"
        id={({ place }) => String(place)}
        columns={COLUMNS}
        empty={null}
      />
    </>
  );
}

/** Links that nobody downloaded are nowhere else. */
const LEAVING = 'Leave this page? Links that you did not download are lost.';
const COLUMNS: readonly Column<Line>[] = [
  { title: 'Person', kind: 'address', cell: ({ wanted }) => wanted.emailAddress },
  { title: 'For', cell: ({ wanted }) => wanted.commonName },
  { title: 'Result', cell: Result },
  {
    title: 'Send',
    kind: 'actions',
    cell: ({ outcome }) => outcome !== null && outcome.made !== null && <Send token={outcome.made} />,
  },
];

function Result({ outcome }: Line) {
  if (outcome === null) return <Badge tone="neutral">waiting</Badge>;
  if (outcome.made !== null) return <Badge tone="good">created</Badge>;
  return (
    <>
      <Badge tone="bad">failed</Badge> <span className="under">{problemOf(outcome.error).message}</span>
    </>
  );
}

function Send({ token: { commonName, emailAddress, redeemUrl, message } }: { readonly token: MadeToken }) {
  const mail = { to: emailAddress, subject: `Your certificate for ${commonName}`, body: message };
  return (
    <>
      <a
        className="button quiet"
        href={mailLink(mail)}
        aria-label={`Write an email to ${emailAddress ?? commonName}`}
      >
        Email
      </a>
      <CopyButton text={redeemUrl} label={`the link for ${commonName}`} />
    </>
  );
}

// The requests at a share as they end: folded until there are some, calm while there are few, bounded when
// there are many, still when one wants to read.

import { memo, useEffect, useRef, useState } from 'react';
import type { ShareObject } from '../../../src/wire/share.ts';
import type { ShareRequestObject } from '../../../src/wire/share-request.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { CopyText } from '../parts/copy-text.tsx';
import { Icon } from '../parts/icons.tsx';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import {
  answerText,
  durationText,
  MOST_ROWS,
  ofKind,
  reasonText,
  type SeenRow,
  statusKind,
} from './seen-requests.ts';
import { type LiveLink, type LiveRequests as Live, useLiveRequests } from './use-live-requests.ts';
import './live-requests.css';

export function LiveRequests({ share }: { readonly share: ShareObject }) {
  const live = useLiveRequests(share.id);
  const [kind, want] = useQueryValue('answers');
  const { rows, total } = live.seen;
  const shown = ofKind(rows, kind);
  // Until somebody says otherwise, and for good once there were some.
  const [isOpen, open] = useOpenFrom(total > 0);
  return (
    <Panel
      title="Live requests"
      about={aboutText(total)}
      actions={
        <div className="live-head">
          <LinkBadge link={live.link} still={live.still} />
          {isOpen && <Buttons live={live} />}
          <button
            type="button"
            className="small-button quiet"
            aria-expanded={isOpen}
            onClick={() => open(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </button>
        </div>
      }
    >
      {live.link.kind === 'over' && <ProblemNote error={live.link.error} retry={live.again} />}
      {isOpen && (
        <>
          {rows.length > 0 && <Kinds kind={kind} want={want} />}
          {rows.length === 0 && live.link.kind !== 'over' && <Waiting share={share} />}
          {rows.length > 0 && shown.length === 0 && <p className="soft">No results yet.</p>}
          {shown.length > 0 && <Rows rows={shown} />}
        </>
      )}
    </Panel>
  );
}

/** Opens by itself when there is something to see, unless somebody has opened or closed it before. */
function useOpenFrom(isThere: boolean): readonly [boolean, (isOpen: boolean) => void] {
  const [chosen, choose] = useState<boolean | null>(null);
  const wasThere = useRef(false);
  wasThere.current ||= isThere;
  return [chosen ?? wasThere.current, choose];
}

function aboutText(total: number): string {
  if (total === 0)
    return 'No requests since you opened this page. They appear as they end, and are not stored.';
  const count = total === 1 ? 'One' : total.toLocaleString('en');
  return total > MOST_ROWS
    ? `${count} since you opened this page; the newest ${MOST_ROWS} are shown.`
    : `${count} since you opened this page.`;
}

/** The one thing here that is read out by itself: what comes and goes is not. */
function LinkBadge({ link, still }: { readonly link: LiveLink; readonly still: boolean }) {
  const { tone, text } = link.kind === 'live' && still ? HELD : LINKS[link.kind];
  return (
    <span role="status" className="live-state" data-live={link.kind === 'live' && !still}>
      <Badge tone={tone}>{text}</Badge>
    </span>
  );
}

type LinkWords = { readonly tone: Tone; readonly text: string };

const HELD: LinkWords = { tone: 'neutral', text: 'Paused' };
const LINKS: Readonly<Record<LiveLink['kind'], LinkWords>> = {
  connecting: { tone: 'neutral', text: 'Connecting' },
  live: { tone: 'good', text: 'Live' },
  away: { tone: 'warn', text: 'Connection lost, reconnecting' },
  full: { tone: 'warn', text: 'Too many watchers, retrying' },
  asleep: { tone: 'neutral', text: 'Paused: this tab was in the background' },
  over: { tone: 'bad', text: 'Stopped' },
};

function Buttons({ live: { seen, still, hold, clear } }: { readonly live: Live }) {
  if (seen.rows.length + seen.held.length === 0) return null;
  const waiting = seen.held.length === MOST_ROWS ? `${MOST_ROWS}+` : String(seen.held.length);
  return (
    <>
      <button type="button" className="small-button" onClick={() => hold(!still)}>
        {!still && 'Pause'}
        {still && (seen.held.length === 0 ? 'Resume' : `Resume, ${waiting} new`)}
      </button>
      <button type="button" className="small-button quiet" onClick={clear}>
        Clear
      </button>
    </>
  );
}

function Kinds({ kind, want }: { readonly kind: string; readonly want: (kind: string) => void }) {
  return (
    <div className="live-kinds" role="group" aria-label="Show answers">
      {KINDS.map(({ value, title, about }) => (
        <button
          key={value}
          type="button"
          className="small-button quiet"
          aria-pressed={kind === value}
          title={about}
          onClick={() => want(value)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

const KINDS = [
  { value: '', title: 'All', about: 'All answers' },
  { value: 'ok', title: '2xx', about: 'Answered' },
  { value: 'redirect', title: '3xx', about: 'Redirected or not modified' },
  { value: 'refused', title: '4xx', about: 'Refused' },
  { value: 'failed', title: '5xx', about: 'Failed' },
] as const;

function Waiting({ share: { url, enabled } }: { readonly share: ShareObject }) {
  return (
    <div className="live-waiting">
      <span className="empty-mark" data-waiting="">
        <Icon name="activity" />
      </span>
      <h3>Waiting for the first request</h3>
      {enabled ? (
        <p>Open the address in another tab, and watch the request arrive here.</p>
      ) : (
        <p>The share is off: visitors get “not found”.</p>
      )}
      <CopyText text={url} label="the address to open" opens={enabled} />
    </div>
  );
}

function Rows({ rows }: { readonly rows: readonly SeenRow[] }) {
  const tick = useTick();
  return (
    <div className="list live-list" role="region" aria-label="Requests, newest first" tabIndex={0}>
      <table role="table" aria-label="Live requests">
        <thead role="rowgroup">
          <tr role="row">
            {COLUMNS.map(({ title, kind }) => (
              <th key={title} role="columnheader" scope="col" data-kind={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) =>
            row.kind === 'request' ? (
              <RequestRow key={row.key} request={row.request} tick={tick} />
            ) : (
              <tr key={row.key} role="row" className="live-skipped">
                <td role="cell" colSpan={COLUMNS.length}>
                  {row.skipped.toLocaleString('en')} more, too many to show
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

type LiveColumn = { readonly title: string; readonly kind?: 'number' };

const COLUMNS: readonly LiveColumn[] = [
  { title: 'Request' },
  { title: 'Answer' },
  { title: 'Who' },
  { title: 'Duration', kind: 'number' },
  { title: 'When' },
];

type RequestRowProps = {
  readonly request: ShareRequestObject;
  /** Another, and the row is drawn again: its time is relative. */
  readonly tick: number;
};

/** What came before is not drawn again for each that comes. */
const RequestRow = memo(function RequestRow({ request }: RequestRowProps) {
  const { at, method, path, status, ms, requestId } = request;
  const reason = reasonText(request);
  return (
    <tr role="row">
      <th role="rowheader" scope="row" title={`${method} ${path}`}>
        <span className="live-request">
          <span className="live-method">{method}</span> <code>{path}</code>
        </span>
      </th>
      <td role="cell" data-title="Answer">
        <span className="live-answer">
          <span className="live-status" data-kind-of={statusKind(status)}>
            {answerText(request)}
          </span>
          {reason !== null && <span className="live-reason">{reason}</span>}
        </span>
      </td>
      <td role="cell" data-title="Who">
        <Who request={request} />
      </td>
      <td role="cell" data-title="Duration" data-kind="number">
        {durationText(ms)}
      </td>
      <td role="cell" data-title="When" title={`In the log under ${requestId}`}>
        <Moment at={at} />
      </td>
    </tr>
  );
});

/** Whoever showed no name is named by where they came from. */
function Who({ request: { who, address } }: { readonly request: ShareRequestObject }) {
  if (who === null) return <span className="soft">{address}</span>;
  if (!who.includes('@')) return <span title={`from ${address}`}>{who}</span>;
  return (
    <Link href={`${hrefTo('sessions')}?email=${encodeURIComponent(who)}`} title={`from ${address}`}>
      {who}
    </Link>
  );
}

/** "3 seconds ago" is true for a few seconds only. */
function useTick(): number {
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return tick;
}

const TICK_MS = 5_000;

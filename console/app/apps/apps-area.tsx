// Below /console/apps: what the person may open, to be opened.

import { useState } from 'react';
import { client } from '../api/client.ts';
import type { OwnShareObject } from '../../../src/wire/own.ts';
import { AppIcon } from '../parts/app-icon.tsx';
import type { AreaProps } from '../parts/area-props.ts';
import { Empty } from '../parts/empty.tsx';
import { Loading } from '../parts/loading.tsx';
import { NothingHere } from '../parts/nothing-here.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useList } from '../parts/use-list.ts';
import { useSettled } from '../parts/use-settled.ts';
import { useMember } from '../shell/session-context.ts';
import './apps.css';

export function AppsArea({ path }: AreaProps) {
  return path.length === 0 ? <AppsPage /> : <NothingHere />;
}

function AppsPage() {
  const { email } = useMember().member;
  const [text, setText] = useState('');
  const q = useSettled(text.trim().slice(0, MAX_TEXT), PAUSE_MS);
  const list = useList(['own-shares', q], (cursor) => client.own.shares({ q, cursor }));
  const [first] = list.items;
  const accounts = new Set(list.items.map(({ account }) => account));
  const isSearch = q !== '' || text !== '';
  const isEmpty = !list.isLoading && list.items.length === 0 && list.more === null;
  return (
    <>
      <PageHead title="My apps" about={`What you can open as ${email}.`} />
      {(isSearch || list.more !== null || list.items.length > FEW) && (
        <search className="toolbar">
          <input
            type="search"
            aria-label="Search your apps"
            placeholder="Search by name or description"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              // What is found for all that was typed: Enter opens the first.
              if (event.key === 'Enter' && q === text.trim() && !list.isEarlier && first !== undefined)
                location.assign(first.url);
            }}
          />
        </search>
      )}
      {list.error !== null && <ProblemNote error={list.error} retry={list.again} />}
      {list.isLoading && <Loading what="your apps" />}
      <p className="unseen" role="status">
        {isSearch && !list.isLoading && list.isEarlier !== true && foundText(list.items.length)}
      </p>
      {isEmpty && list.error === null && (isSearch ? <p className="list-none">No results.</p> : <NoApps />)}
      {list.items.length > 0 && (
        <ul className="apps" aria-label="My apps" aria-busy={list.isEarlier === true}>
          {list.items.map((app) => (
            <App key={app.url} app={app} isOfSeveral={accounts.size > 1} />
          ))}
        </ul>
      )}
      {list.more !== null && (
        <p>
          <button type="button" disabled={list.isLoadingMore} onClick={() => void list.more?.()}>
            {list.isLoadingMore ? 'Loading…' : 'More'}
          </button>
        </p>
      )}
    </>
  );
}

/** `isOfSeveral`: apps of several accounts are here. */
function App({ app, isOfSeveral }: { readonly app: OwnShareObject; readonly isOfSeveral: boolean }) {
  const { share, url, description, icon, account } = app;
  return (
    <li>
      <a className="app" href={url}>
        <AppIcon icon={icon} name={share} />
        <span className="app-words">
          <strong>{share}</strong>
          {description !== null && <span>{description}</span>}
          <small>
            {new URL(url).host}
            {isOfSeveral && ` · ${account}`}
          </small>
        </span>
      </a>
    </li>
  );
}

function NoApps() {
  return (
    <Empty title="No apps yet" icon="shares">
      <p>An app is listed here when it lets you in. If one is missing, ask its owner for access.</p>
    </Empty>
  );
}

function foundText(count: number): string {
  return count === 1 ? '1 app' : `${count} apps`;
}

/** These are seen at one look. */
const FEW = 8;
const PAUSE_MS = 200;
const MAX_TEXT = 100;

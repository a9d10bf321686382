// Around every page: where one can go, who is logged in, and the page of the address.

import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { type ConsoleSession, useSession } from '../api/client.ts';
import { ACCOUNT_CHANGED, isOfPage } from '../api/page-account.ts';
import { Loading } from '../parts/loading.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { AreaList } from './area-list.tsx';
import { AwayNote } from './away-note.tsx';
import { Brand } from './brand.tsx';
import { Drawer } from './drawer.tsx';
import { GoToButton } from './go-to-button.tsx';
import { LoginPage } from './login-page.tsx';
import { PageFault } from './page-fault.tsx';
import { areaOf } from './pages.tsx';
import { NothingHere } from '../parts/nothing-here.tsx';
import { PersonMenu } from './person-menu.tsx';
import { seenAreas } from './seen-areas.ts';
import { SessionContext } from './session-context.ts';
import { useGoTo } from './use-go-to.ts';
import { useKeys } from './use-keys.ts';
import { VisitorFrame } from './visitor-frame.tsx';

export function Shell() {
  const session = useSession();
  const { refetch } = session;
  useEffect(() => {
    const ask = () => void refetch();
    addEventListener(ACCOUNT_CHANGED, ask);
    return () => removeEventListener(ACCOUNT_CHANGED, ask);
  }, [refetch]);
  if (session.isPending) return <main className="alone" aria-busy="true" />;
  // Whoever is in stays in while nobody can say so again: only an answer ends it.
  if (session.data === undefined)
    return (
      <main className="alone">
        <ProblemNote error={session.error} retry={session.refetch} />
      </main>
    );
  if (session.data === null) return <LoginPage />;
  return <OfAccount session={session.data} />;
}

/** The page stays with the account that it was opened in, whatever the browser does in other tabs. */
function OfAccount({ session: now }: { readonly session: ConsoleSession }) {
  const isSame = isOfPage(now.account.id);
  const [known, setKnown] = useState(now);
  if (isSame && known !== now) setKnown(now);
  const session = isSame ? now : known;
  return (
    <SessionContext value={session}>
      {session.kind === 'visitor' ? (
        <VisitorFrame session={session}>
          <Page session={session} />
        </VisitorFrame>
      ) : (
        <Frame session={session}>
          <Page session={session} />
        </Frame>
      )}
      {!isSame && (
        <Suspense>
          <AccountChanged before={session.account} now={now.account} />
        </Suspense>
      )}
    </SessionContext>
  );
}

function Frame({ session, children }: { readonly session: ConsoleSession; readonly children: ReactNode }) {
  const goTo = useGoTo();
  const areas = useMemo(() => seenAreas(session), [session]);
  const keys = useKeys(areas);
  return (
    <div className="frame">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="top-bar">
        <Drawer session={session} />
        <Link className="brand" href={hrefTo()}>
          <Brand />
        </Link>
        <GoToButton open={goTo.open} />
      </header>
      <header className="sidebar">
        <Link className="brand" href={hrefTo()}>
          <Brand />
        </Link>
        <p className="account">{session.account.name}</p>
        <GoToButton open={goTo.open} />
        <AreaList session={session} />
        <PersonMenu session={session} />
      </header>
      {children}
      <AwayNote />
      {goTo.isOpen && (
        <Suspense>
          <GoTo areas={areas} close={goTo.close} />
        </Suspense>
      )}
      {keys.isListed && (
        <Suspense>
          <KeysList areas={areas} close={keys.close} />
        </Suspense>
      )}
    </div>
  );
}

function Page({ session }: { readonly session: ConsoleSession }) {
  const { place } = useRouter();
  const main = useRef<HTMLElement>(null);
  const address = place.path.join('/');
  const shown = useRef(address);
  // Another page was opened: keyboards and screen readers go on at its beginning, not where the link was.
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    main.current?.focus({ preventScroll: true });
  }, [address]);
  const area = areaOf(place.path, seenAreas(session));
  return (
    <main id="page" ref={main} tabIndex={-1}>
      <PageFault key={address}>
        <Suspense fallback={<Loading />}>
          {area === undefined ? <NothingHere /> : <area.Page path={place.path.slice(1)} />}
        </Suspense>
      </PageFault>
    </main>
  );
}

const KeysList = lazy(async () => ({ default: (await import('./keys-list.tsx')).KeysList }));
const AccountChanged = lazy(async () => ({
  default: (await import('./account-changed.tsx')).AccountChanged,
}));
const GoTo = lazy(async () => ({ default: (await import('./go-to.tsx')).GoTo }));

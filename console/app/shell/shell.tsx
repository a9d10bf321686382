// Around every page: who is logged in, where one can go, and the page of the address.

import type { ReactNode } from 'react';
import { type ConsoleSession, logOut, useSession } from '../api/client.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { LoginPage } from './login-page.tsx';
import { AREAS, PageOf } from './pages.tsx';
import { SessionContext } from './session-context.ts';

export function Shell() {
  const session = useSession();
  if (session.isPending) return <main className="alone" aria-busy="true" />;
  if (session.isError)
    return (
      <main className="alone">
        <ProblemNote error={session.error} retry={session.refetch} />
      </main>
    );
  if (session.data === null) return <LoginPage />;
  return (
    <SessionContext value={session.data}>
      <Frame session={session.data}>
        <Page />
      </Frame>
    </SessionContext>
  );
}

function Frame({ session, children }: { readonly session: ConsoleSession; readonly children: ReactNode }) {
  const { place } = useRouter();
  const here = place.path[0] ?? AREAS[0]?.name;
  const areas = AREAS.filter(({ admins }) => !admins || session.member.role === 'admin');
  return (
    <div className="frame">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="top">
        <Link className="brand" href={hrefTo()}>
          Doorward
        </Link>
        <span className="account">{session.account.name}</span>
        <nav className="areas" aria-label="Areas">
          {areas.map(({ name, title }) => (
            <Link key={name} href={hrefTo(name)} aria-current={name === here ? 'page' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
        <div className="who">
          <span title={session.member.role}>{session.member.email}</span>
          <button type="button" className="quiet" onClick={() => void logOut()}>
            Log out
          </button>
        </div>
      </header>
      <main id="page" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Page() {
  const { place } = useRouter();
  return <PageOf path={place.path} />;
}

// Around the pages of a person who is a member of no account: what is theirs, who they are, and the way out.

import type { ConsoleSession } from '../api/client.ts';
import { Brand } from './brand.tsx';
import type { ReactNode } from 'react';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { areaOf } from './pages.tsx';
import { seenAreas } from './seen-areas.ts';
import { useLogOut } from './use-log-out.ts';

type VisitorFrameProps = { readonly session: ConsoleSession; readonly children: ReactNode };

export function VisitorFrame({ session, children }: VisitorFrameProps) {
  const logOut = useLogOut();
  const { place } = useRouter();
  const here = areaOf(place.path, seenAreas(session));
  return (
    <div className="visit">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="visit-bar">
        <span className="brand">
          <Brand />
        </span>
        <nav className="visit-areas" aria-label="Pages">
          {seenAreas(session).map(({ name, title }) => (
            <Link key={name} href={hrefTo(name)} aria-current={name === here?.name ? 'page' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
        <span className="visit-who">{session.member.email}</span>
        <button type="button" className="quiet" onClick={logOut}>
          Log out
        </button>
      </header>
      {children}
    </div>
  );
}

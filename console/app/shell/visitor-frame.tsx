// Around the one page of a person who is a member of no account: who they are, and the way out.

import type { ConsoleSession } from '../api/client.ts';
import { Brand } from './brand.tsx';
import type { ReactNode } from 'react';
import { useLogOut } from './use-log-out.ts';

type VisitorFrameProps = { readonly session: ConsoleSession; readonly children: ReactNode };

export function VisitorFrame({ session, children }: VisitorFrameProps) {
  const logOut = useLogOut();
  return (
    <div className="visit">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="visit-bar">
        <span className="brand">
          <Brand />
        </span>
        <span className="visit-who">{session.member.email}</span>
        <button type="button" className="quiet" onClick={logOut}>
          Log out
        </button>
      </header>
      {children}
    </div>
  );
}

// Who is logged in, and what is theirs: their own access, how the console looks, the way out. A button with
// the browser's own popover: it closes on Escape or a press elsewhere, and gives the focus back.

import { lazy, Suspense, useId, useRef, useState } from 'react';
import type { ConsoleSession } from '../api/client.ts';
import { Icon } from '../parts/icons.tsx';
import { hrefTo, Link } from '../router.tsx';
import { seenAreas } from './seen-areas.ts';
import { Themes } from './themes.tsx';
import { useLogOut } from './use-log-out.ts';

/** `left`: another page was chosen. */
type PersonMenuProps = { readonly session: ConsoleSession; readonly left?: () => void };

export function PersonMenu({ session, left }: PersonMenuProps) {
  const { email, role } = session.member;
  const logOut = useLogOut();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const leave = () => {
    menu.current?.hidePopover();
    left?.();
  };
  return (
    <>
      <button type="button" className="person" popoverTarget={id} aria-expanded={isOpen}>
        <span className="avatar" aria-hidden="true">
          {email.slice(0, 1).toUpperCase()}
        </span>
        <span className="person-name">
          {email} <small>{role}</small>
        </span>
        <Icon name="choose" />
      </button>
      <div
        ref={menu}
        id={id}
        className="menu person-menu"
        popover="auto"
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {isOpen && session.kind === 'member' && (
          <Suspense>
            <OwnAccounts />
          </Suspense>
        )}
        <OwnAreas session={session} left={leave} />
        <a className="menu-item" href="/docs" target="_blank" rel="noreferrer">
          <Icon name="book" />
          API reference
          <Icon name="external" />
        </a>
        <hr className="menu-line" />
        <Themes />
        <hr className="menu-line" />
        <button type="button" className="menu-item" onClick={logOut}>
          <Icon name="leave" />
          Log out
        </button>
      </div>
    </>
  );
}

/** The areas that belong to the person, such as their own access. */
function OwnAreas({ session, left }: Required<PersonMenuProps>) {
  return seenAreas(session)
    .filter(({ group }) => group === null)
    .map(({ name, title, icon }) => (
      <Link key={name} className="menu-item" href={hrefTo(name)} onFollow={left}>
        <Icon name={icon} />
        {title}
      </Link>
    ));
}

const OwnAccounts = lazy(async () => ({ default: (await import('./own-accounts.tsx')).OwnAccounts }));

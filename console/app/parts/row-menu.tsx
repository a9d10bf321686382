// What can be done with a row of a list, behind one button: a menu as keyboards know it (arrows, Home, End,
// Escape). It is made when it opens, so that a list of hundreds costs hundreds of buttons and no more.

import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Link } from '../router.tsx';
import { Icon } from './icons.tsx';

export type RowAct = {
  readonly label: string;
  readonly isDanger?: boolean;
} & ({ readonly run: () => unknown } | { readonly href: string; readonly isOutside?: boolean });

type RowMenuProps = {
  /** Of what, for who does not see the row: "Actions of wiki". */
  readonly about: string;
  readonly acts: readonly RowAct[];
};

export function RowMenu({ about, acts }: RowMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  if (acts.length === 0) return null;
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setOpen(true);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="quiet icon-button"
        aria-label={`Actions of ${about}`}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        // A press closes what is open: the browser hides it first, and says so only after the click.
        onClick={() => setOpen(!isOpen)}
        onKeyDown={openByArrow}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <OpenMenu
          id={id}
          about={about}
          acts={acts}
          at={() => button.current?.getBoundingClientRect() ?? null}
          closed={() => setOpen(false)}
        />
      )}
    </>
  );
}

type OpenMenuProps = RowMenuProps & {
  readonly id: string;
  readonly at: () => DOMRect | null;
  readonly closed: () => void;
};

function OpenMenu({ id, about, acts, at, closed }: OpenMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = menu.current;
    if (shown === null) return undefined;
    shown.showPopover();
    const top = at()?.top;
    place(shown, at());
    itemsOf(shown)[0]?.focus({ preventScroll: true });
    // It would stay where it is while its row goes.
    const hide = () => at()?.top !== top && shown.hidePopover();
    addEventListener('scroll', hide, { passive: true });
    addEventListener('resize', hide);
    return () => {
      removeEventListener('scroll', hide);
      removeEventListener('resize', hide);
    };
    // Placed once, where its button was.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const hide = () => menu.current?.hidePopover();
  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      aria-label={`Actions of ${about}`}
      className="menu row-menu"
      popover="auto"
      onToggle={(event) => event.newState === 'closed' && closed()}
      onKeyDown={(event) => moveByKey(event, hide)}
    >
      {acts.map((act) => (
        <MenuItem key={act.label} act={act} leave={hide} />
      ))}
    </div>
  );
}

function MenuItem({ act, leave }: { readonly act: RowAct; readonly leave: () => void }): ReactNode {
  const how = {
    role: 'menuitem',
    tabIndex: -1,
    className: act.isDanger === true ? 'menu-item danger' : 'menu-item',
  } as const;
  if ('run' in act)
    return (
      <button
        type="button"
        {...how}
        onClick={() => {
          // The focus goes back to the button first: what opens now gives it back there, too.
          leave();
          void act.run();
        }}
      >
        {act.label}
      </button>
    );
  if (act.isOutside === true)
    return (
      <a {...how} href={act.href} target="_blank" rel="noreferrer" onClick={leave}>
        {act.label}
        <Icon name="external" />
      </a>
    );
  return (
    <Link {...how} href={act.href} onFollow={leave}>
      {act.label}
    </Link>
  );
}

function moveByKey(event: KeyboardEvent<HTMLElement>, hide: () => void): void {
  const items = itemsOf(event.currentTarget);
  const now = items.findIndex((item) => item === document.activeElement);
  const goal = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: -1 }[event.key];
  if (event.key === 'Tab') hide();
  if (goal === undefined) return;
  event.preventDefault();
  items.at(goal % items.length)?.focus();
}

function itemsOf(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

/** Below the button, at its right end; above it where there is no room below. */
function place(menu: HTMLElement, button: DOMRect | null): void {
  if (button === null) return;
  const { width, height } = menu.getBoundingClientRect();
  const below = button.bottom + GAP_PX;
  const isBelow = below + height < innerHeight;
  menu.style.top = `${Math.max(GAP_PX, isBelow ? below : button.top - height - GAP_PX)}px`;
  menu.style.left = `${Math.max(GAP_PX, button.right - width)}px`;
}

const GAP_PX = 4;

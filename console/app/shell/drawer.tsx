// The list of areas on a phone: behind a button, over the page. The browser's own dialog keeps the focus
// inside, closes on Escape, and gives the focus back.

import { type MouseEvent, useRef } from 'react';
import type { ConsoleSession } from '../api/client.ts';
import { Icon } from '../parts/icons.tsx';
import { AreaList } from './area-list.tsx';
import { Brand } from './brand.tsx';
import { PersonMenu } from './person-menu.tsx';

export function Drawer({ session }: { readonly session: ConsoleSession }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const close = () => dialog.current?.close();
  // Another page was chosen: the focus goes there, not back to the button.
  const leave = () => {
    close();
    document.getElementById('page')?.focus({ preventScroll: true });
  };
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) close();
  };
  return (
    <>
      <button
        type="button"
        className="quiet icon-button"
        aria-label="Menu"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="menu" />
      </button>
      <dialog ref={dialog} className="drawer" aria-label="Menu" onClick={closeOutside}>
        <div className="drawer-inside">
          <div className="drawer-head">
            <p className="brand">
              <Brand />
            </p>
            <button type="button" className="quiet icon-button" aria-label="Close the menu" onClick={close}>
              <Icon name="close" />
            </button>
          </div>
          <p className="account">{session.account.name}</p>
          <AreaList session={session} left={leave} />
          <PersonMenu session={session} left={leave} />
        </div>
      </dialog>
    </>
  );
}

// Goes to an area or a share by its name, or to what a person could open, from wherever one is: a field, and
// what matches beneath it.

import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import { parseEmailAddress } from '../../../src/domain/email-address.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { hrefTo, useRouter } from '../router.tsx';
import type { Area } from './pages.tsx';
import { findPlaces } from './places.ts';
import './go-to.css';

type NamedPlace = {
  readonly title: string;
  readonly icon: IconName;
  readonly kind: 'Area' | 'Share' | 'Person';
  readonly href: string;
};

type GoToProps = { readonly areas: readonly Area[]; readonly close: () => void };

export function GoTo({ areas, close }: GoToProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className="go-to"
      aria-label="Go to"
      onClose={close}
      onClick={(event) => event.target === dialog.current && dialog.current.close()}
    >
      <Search areas={areas} leave={() => dialog.current?.close()} />
    </dialog>
  );
}

function Search({ areas, leave }: { readonly areas: readonly Area[]; readonly leave: () => void }) {
  const { go } = useRouter();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const found = [...personIn(text, areas), ...findPlaces(usePlaces(areas), text)];
  const follow = (place: NamedPlace | undefined) => {
    if (place === undefined) return;
    leave();
    go(place.href);
  };
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (event.key === 'Enter') follow(found[chosen]);
    else if (step !== undefined && found.length > 0) setChosen((chosen + step + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        type="search"
        role="combobox"
        aria-label="Name of an area or a share"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Go to an area, a share or an email address"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Places">
        {found.map((place, index) => (
          <li
            key={place.href}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onPointerMove={() => setChosen(index)}
            onClick={() => follow(place)}
          >
            <Icon name={place.icon} />
            {place.title} <small>{place.kind}</small>
          </li>
        ))}
      </ul>
      <p className="go-to-none" role="status">
        {found.length === 0 && 'No results.'}
      </p>
    </>
  );
}

function usePlaces(areas: readonly Area[]): readonly NamedPlace[] {
  const seesShares = areas.some(({ name }) => name === 'shares');
  const shares = useQuery({
    queryKey: ['shares', { goTo: true }],
    queryFn: () => client.shares.list({ limit: SHARES }),
    enabled: seesShares,
  });
  return [
    ...areas.map(({ name, title, icon }) => ({ title, icon, kind: 'Area' as const, href: hrefTo(name) })),
    ...(shares.data?.items ?? []).map(({ name }) => ({
      title: name,
      icon: 'door' as const,
      kind: 'Share' as const,
      href: hrefTo('shares', name),
    })),
  ];
}

/** What somebody could open whose whole address is typed. */
function personIn(text: string, areas: readonly Area[]): readonly NamedPlace[] {
  const email = parseEmailAddress(text.trim());
  if (email === null || !areas.some(({ name }) => name === 'sessions')) return [];
  const title = `What ${email} can open`;
  return [{ title, icon: 'me', kind: 'Person', href: personAccessHref({ email }) }];
}

const STEPS: Readonly<Record<string, number | undefined>> = { ArrowDown: 1, ArrowUp: -1 };
/** As many as the API gives at once. */
const SHARES = 200;

// Goes to an area, a page, an action or a thing of the account by its name, from wherever one is: a field,
// and what matches beneath it.

import { type KeyboardEvent, useId, useState } from 'react';
import { parseEmailAddress } from '../../../src/domain/email-address.ts';
import { Icon } from '../parts/icons.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { useRouter } from '../router.tsx';
import { type NamedPlace, useNamedPlaces } from './named-places.ts';
import type { Area } from './pages.tsx';
import { findPlaces } from './places.ts';
import { ShownDialog } from './shown-dialog.tsx';

type GoToProps = { readonly areas: readonly Area[]; readonly close: () => void };

export function GoTo({ areas, close }: GoToProps) {
  return (
    <ShownDialog label="Go to" className="go-to" closed={close}>
      {(leave) => <Search areas={areas} leave={leave} />}
    </ShownDialog>
  );
}

function Search({ areas, leave }: { readonly areas: readonly Area[]; readonly leave: () => void }) {
  const { go } = useRouter();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const found = [...personIn(text, areas), ...findPlaces(useNamedPlaces(areas), text)];
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
        aria-label="Name of a page, an action or a thing"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${chosen}`}
        autoComplete="off"
        spellCheck={false}
        placeholder="Go to a page, a share, a person…"
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
            key={`${place.kind} ${place.href} ${place.title}`}
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

/** What somebody could open whose whole address is typed. */
function personIn(text: string, areas: readonly Area[]): readonly NamedPlace[] {
  const email = parseEmailAddress(text.trim());
  if (email === null || !areas.some(({ name }) => name === 'sessions')) return [];
  const title = `What ${email} can open`;
  return [{ title, icon: 'me', kind: 'Person', href: personAccessHref({ email }) }];
}

const STEPS: Readonly<Record<string, number | undefined>> = { ArrowDown: 1, ArrowUp: -1 };

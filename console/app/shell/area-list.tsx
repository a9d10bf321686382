// Where one can go, in groups.

import { Fragment } from 'react';
import type { ConsoleSession } from '../api/client.ts';
import { Icon } from '../parts/icons.tsx';
import { hrefTo, Link, useRouter } from '../router.tsx';
import { type Area, areaOf } from './pages.tsx';
import { seenAreas } from './seen-areas.ts';

/** `left`: another area was chosen. */
export function AreaList({
  session,
  left,
}: {
  readonly session: ConsoleSession;
  readonly left?: () => void;
}) {
  const { place } = useRouter();
  const seen = seenAreas(session);
  const here = areaOf(place.path, seen);
  const linkTo = ({ name, title, icon }: Area) => (
    <li key={name}>
      <Link
        href={hrefTo(name)}
        aria-current={name === here?.name ? 'page' : undefined}
        {...(left === undefined ? {} : { onFollow: left })}
      >
        <Icon name={icon} />
        {title}
      </Link>
    </li>
  );
  return (
    <nav className="areas" aria-label="Areas">
      {GROUPS.map(({ name, title }) => {
        const areas = seen.filter(({ group }) => group === name);
        if (areas.length === 0) return null;
        return (
          <Fragment key={name}>
            {title !== null && <h2 id={`areas-${name}`}>{title}</h2>}
            <ul aria-labelledby={title === null ? undefined : `areas-${name}`}>{areas.map(linkTo)}</ul>
          </Fragment>
        );
      })}
    </nav>
  );
}

const GROUPS = [
  { name: 'first', title: null },
  { name: 'access', title: 'Access' },
  { name: 'account', title: 'Account' },
  { name: 'service', title: 'Service' },
] as const;

// Where the field that goes to places can lead: areas, pages, actions, and what the account has, as far as
// the person may see it.

import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import type { NamedProvider } from '../api/definition-title.ts';
import { useKnownKeys, useKnownMembers } from '../api/known-people.ts';
import { useKnownProviders } from '../api/known-providers.ts';
import type { IconName } from '../parts/icons.tsx';
import { personAccessHref } from '../parts/person-access.ts';
import { requestTokenHref } from '../parts/request-token-href.ts';
import { hrefTo } from '../router.tsx';
import type { Area } from './pages.tsx';
import { useMay } from './session-context.ts';

export type NamedPlace = {
  readonly title: string;
  readonly icon: IconName;
  readonly kind:
    | 'Area'
    | 'Page'
    | 'Action'
    | 'Share'
    | 'Provider'
    | 'Person'
    | 'Certificate'
    | 'Request token'
    | 'API key';
  readonly href: string;
};

export function useNamedPlaces(areas: readonly Area[]): readonly NamedPlace[] {
  const may = useMay();
  const sees = (name: string) => areas.some((area) => area.name === name);
  const shares = useFirst('shares', sees('shares'), (most) => client.shares.list(most));
  const known = useKnownProviders(sorted).data ?? [];
  // Who may know their names alone has no page of them.
  const providers = sees('providers') ? known : [];
  const members = useKnownMembers(sees('people')) ?? [];
  const keys = useKnownKeys(sees('people')) ?? [];
  const certificates = useFirst('certificates', sees('certificates'), (most) =>
    client.certificates.list(most),
  );
  const tokens = useFirst('certificate-tokens', sees('certificates'), (most) =>
    client.certificates.listTokens(most),
  );
  return [
    ...areas.map(({ name, title, icon }) => ({ title, icon, kind: 'Area' as const, href: hrefTo(name) })),
    ...shares.map(({ name }) => place('Share', name, hrefTo('shares', name))),
    ...PLACES.filter(({ area, needs }) => sees(area) && (needs === undefined || may(needs))),
    ...providers.map((each) => place('Provider', titleOf(each), hrefTo('providers', each.name))),
    ...members.map(({ email }) => place('Person', email, personAccessHref({ email }))),
    ...keys.map(({ name }) => place('API key', name, hrefTo('people', 'keys'))),
    ...certificates.map(({ id, name }) => place('Certificate', name, hrefTo('certificates', id))),
    ...tokens.map(({ id, name }) => place('Request token', name, requestTokenHref(id))),
  ];
}

function sorted(named: readonly NamedProvider[]): readonly NamedProvider[] {
  return named.toSorted((one, other) => (one.displayName < other.displayName ? -1 : 1));
}

/** Found by what it is called, and by its name. */
function titleOf({ name, displayName }: NamedProvider): string {
  return displayName === name ? name : `${displayName} (${name})`;
}

/** As many as the API gives at once; none while they are on their way. */
function useFirst<Item>(
  things: string,
  enabled: boolean,
  read: (most: { readonly limit: number }) => Promise<{ readonly items: readonly Item[] }>,
): readonly Item[] {
  const queryFn = () => read({ limit: MOST });
  return useQuery({ queryKey: [things, { goTo: true }], queryFn, enabled }).data?.items ?? [];
}

function place(kind: keyof typeof ICONS, title: string, href: string): NamedPlace {
  return { kind, title, href, icon: ICONS[kind] };
}

const ICONS = {
  Share: 'door',
  Provider: 'providers',
  Person: 'me',
  'API key': 'key',
  Certificate: 'certificates',
  'Request token': 'certificates',
} as const;

type FixedPlace = NamedPlace & { readonly area: string; readonly needs?: string };

const PLACES: readonly FixedPlace[] = [
  page('Host names', 'shares', '+hosts'),
  page('Request tokens', 'certificates', 'tokens'),
  page('Certificate authority', 'certificates', 'authority'),
  page('Certificate rules', 'certificates', 'rules'),
  page('API keys', 'people', 'keys'),
  page('What a person can open', 'sessions', 'access'),
  action('New share', { area: 'shares', needs: 'shares.write' }, '+new'),
  action('New provider', { area: 'providers', needs: 'providers.write' }, '+new'),
  action('New certificate', { area: 'certificates', needs: 'certificates.write' }, 'tokens', 'new'),
];

function page(title: string, area: string, ...path: readonly string[]): FixedPlace {
  return { title, area, kind: 'Page', icon: 'next', href: hrefTo(area, ...path) };
}

type Wanted = { readonly area: string; readonly needs: string };

function action(title: string, { area, needs }: Wanted, ...path: readonly string[]): FixedPlace {
  return { title, area, needs, kind: 'Action', icon: 'plus', href: hrefTo(area, ...path) };
}

const MOST = 200;

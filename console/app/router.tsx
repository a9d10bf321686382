// Addresses below /console: where the visitor is, and links that go elsewhere without loading the page again.
// The query is the state of filters, so that a list can be bookmarked and sent.

import {
  createContext,
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from 'react';

export type Place = {
  /** Below /console, decoded: `['shares', 'wiki']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
};

type Router = { readonly place: Place; readonly go: (href: string, how?: 'push' | 'replace') => void };

const RouterContext = createContext<Router | null>(null);

export function RouterProvider({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const moved = () => setPlace(readPlace());
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, []);
  const go = useCallback((href: string, how: 'push' | 'replace' = 'push') => {
    if (how === 'push') history.pushState(null, '', href);
    else history.replaceState(null, '', href);
    setPlace(readPlace());
    if (how === 'push') scrollTo(0, 0);
  }, []);
  const router = useMemo(() => ({ place, go }), [place, go]);
  return <RouterContext value={router}>{children}</RouterContext>;
}

export function useRouter(): Router {
  const router = use(RouterContext);
  if (router === null) throw new TypeError('Cannot route: there is no router around this page');
  return router;
}

/** One value of the query, and how it is changed in place. */
export function useQueryValue(name: string): readonly [string, (value: string) => void] {
  const { place, go } = useRouter();
  const change = (value: string) => {
    // Of the address itself: of two changes in one moment, the second must not undo the first.
    const query = new URLSearchParams(location.search);
    if (value === '') query.delete(name);
    else query.set(name, value);
    const text = query.toString();
    go(`${location.pathname}${text === '' ? '' : `?${text}`}`, 'replace');
  };
  return [place.query.get(name) ?? '', change];
}

/** Each part is encoded: a name may hold anything. */
export function hrefTo(...parts: readonly string[]): string {
  return `${BASE}${parts.map((part) => encodeURIComponent(part)).join('/')}`;
}

type LinkProps = {
  readonly href: string;
  /** Called when it is followed on this page, not into another tab. */
  readonly onFollow?: () => void;
} & AnchorHTMLAttributes<HTMLAnchorElement>;

export function Link({ href, children, onFollow, ...rest }: LinkProps) {
  const { go } = useRouter();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    // Other buttons and keys mean a new tab or window, as they do everywhere.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onFollow?.();
    go(href);
  };
  return (
    <a href={href} onClick={follow} {...rest}>
      {children}
    </a>
  );
}

function readPlace(): Place {
  const path = location.pathname.slice(BASE.length).split('/').filter(Boolean).map(decoded);
  return { path, query: new URLSearchParams(location.search) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const BASE = '/console/';

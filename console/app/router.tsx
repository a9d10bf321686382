// Addresses below /console: where the visitor is, and links that go elsewhere without loading the page again.
// The query is the state of filters, so that a list can be bookmarked and sent.

import {
  createContext,
  type AnchorHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

export type Place = {
  /** Below /console, decoded: `['shares', 'wiki']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
};

type Router = {
  readonly place: Place;
  readonly go: (href: string, how?: 'push' | 'replace') => void;
  /** Asked before the page is left for another; null where nothing would be lost. */
  readonly leaving: RefObject<string | null>;
};

const RouterContext = createContext<Router | null>(null);

export function RouterProvider({ children }: { readonly children: ReactNode }) {
  const [place, setPlace] = useState(readPlace);
  const leaving = useRef<string | null>(null);
  const shown = useRef(location.href);
  const show = useCallback(() => {
    shown.current = location.href;
    setPlace(readPlace());
  }, []);
  useEffect(() => {
    const moved = () => {
      if (mayLeave(leaving)) show();
      // The browser is there already: it comes back to the page that is still shown.
      else history.pushState(null, '', shown.current);
    };
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, [show]);
  const go = useCallback(
    (href: string, how: 'push' | 'replace' = 'push') => {
      if (how === 'push' && !mayLeave(leaving)) return;
      if (how === 'push') history.pushState(null, '', href);
      else history.replaceState(null, '', href);
      show();
      if (how === 'push') scrollTo(0, 0);
    },
    [show],
  );
  const router = useMemo(() => ({ place, go, leaving }), [place, go]);
  return <RouterContext value={router}>{children}</RouterContext>;
}

export function useRouter(): Router {
  const router = use(RouterContext);
  if (router === null) throw new TypeError('Cannot route: there is no router around this page');
  return router;
}

/** Whoever leaves the page is asked, by whichever way, while there is a question: something would be lost. */
export function useStay(question: string | null): void {
  const { leaving } = useRouter();
  useEffect(() => {
    if (question === null) return undefined;
    // The browser asks in its own words.
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', stay);
    leaving.current = question;
    return () => {
      removeEventListener('beforeunload', stay);
      leaving.current = null;
    };
  }, [leaving, question]);
}

function mayLeave({ current: question }: RefObject<string | null>): boolean {
  return question === null || confirm(question);
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

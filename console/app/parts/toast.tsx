// Short news of what was done, read out by screen readers; it goes by itself, but not while somebody is at
// it. What can be undone says so.

import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';

/** What can be done about the news, such as to undo it. */
export type ToastAction = { readonly label: string; readonly run: () => unknown };
export type Tell = (title: string, description?: string, action?: ToastAction) => void;

export function useTell(): Tell {
  return use(TellContext);
}

type News = {
  readonly id: number;
  readonly title: string;
  readonly description: string | undefined;
  readonly action: ToastAction | undefined;
};

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [news, setNews] = useState<readonly News[]>([]);
  const count = useRef(0);
  const tell = useCallback<Tell>((title, description, action) => {
    const id = ++count.current;
    setNews((shown) => [...shown.slice(1 - MOST_TOASTS), { id, title, description, action }]);
  }, []);
  const remove = useCallback((gone: number) => setNews((shown) => shown.filter(({ id }) => id !== gone)), []);
  return (
    <TellContext value={tell}>
      {children}
      <section className="toasts" aria-label="News" aria-live="polite">
        {news.map((each) => (
          <Toast key={each.id} news={each} remove={remove} />
        ))}
      </section>
    </TellContext>
  );
}

function Toast({ news, remove }: { readonly news: News; readonly remove: (id: number) => void }) {
  const { id, title, description, action } = news;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => remove(id), action === undefined ? TOAST_MS : ACTION_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld, remove, action]);
  const hold = () => setHeld(true);
  const letGo = () => setHeld(false);
  return (
    <div className="toast" onPointerEnter={hold} onPointerLeave={letGo} onFocus={hold} onBlur={letGo}>
      <div className="toast-text">
        <p>
          <strong>{title}</strong>
        </p>
        {description !== undefined && <p>{description}</p>}
      </div>
      {action !== undefined && (
        <button
          type="button"
          onClick={() => {
            remove(id);
            action.run();
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="icon-button" aria-label="Close" onClick={() => remove(id)}>
        <Icon name="close" />
      </button>
    </div>
  );
}

const TellContext = createContext<Tell>(() => {
  throw new TypeError('Cannot tell anything: this page is outside the shell');
});

const MOST_TOASTS = 3;
const TOAST_MS = 6_000;
/** To notice, to read, to reach for it. */
const ACTION_MS = 15_000;

// Filters and order of a list, saved under a name and opened again from a panel at their button. The panel is
// made when it opens, and reads then what the browser keeps.

import { type ReactNode, type SubmitEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { hrefTo, Link, useRouter } from '../../router.tsx';
import { Icon } from '../icons.tsx';
import { useTell } from '../toast.tsx';
import { MOST_NAME, MOST_QUERY, MOST_VIEWS, type SavedView, viewName, viewQuery } from './saved-view.ts';
import { useViews, type ViewsOf } from './use-views.ts';
import './saved-views.css';

export function SavedViews(of: ViewsOf) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        // A press closes what is open: the browser hides it first, and says so only after the click.
        onClick={() => setOpen(!isOpen)}
      >
        Views <Icon name="down" />
      </button>
      {isOpen && (
        <Panel
          {...of}
          id={id}
          at={() => button.current?.getBoundingClientRect() ?? null}
          closed={() => setOpen(false)}
        />
      )}
    </>
  );
}

type PanelProps = ViewsOf & {
  readonly id: string;
  readonly at: () => DOMRect | null;
  readonly closed: () => void;
};

function Panel({ id, at, closed, ...of }: PanelProps) {
  const { place } = useRouter();
  const tell = useTell();
  const { views, save, remove } = useViews(of);
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = panel.current;
    if (shown === null) return undefined;
    shown.showPopover();
    const move = () => putBelow(shown, at());
    move();
    shown.focus({ preventScroll: true });
    addEventListener('resize', move);
    return () => removeEventListener('resize', move);
    // Where its button is; it scrolls with the page.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const hide = () => panel.current?.hidePopover();
  const query = viewQuery(place.query, of.holds);
  const removeOne = (view: SavedView) => {
    remove(view);
    // What had the focus is gone.
    panel.current?.focus();
    tell('The view was deleted', view.name, { label: 'Undo', run: () => save(view) });
  };
  return (
    <div
      ref={panel}
      id={id}
      role="dialog"
      aria-label="Saved views"
      tabIndex={-1}
      className="menu views-panel"
      popover="auto"
      onToggle={(event) => event.newState === 'closed' && closed()}
    >
      {views.length === 0 && <p className="soft">No saved views yet.</p>}
      <ul>
        {views.map((view) => (
          <li key={view.name}>
            <Link
              className="menu-item"
              // The path is the list's own, whatever was kept.
              href={`${hrefTo(of.list)}${view.query === '' ? '' : `?${view.query}`}`}
              aria-current={view.query === query ? 'true' : undefined}
              onFollow={hide}
            >
              {view.name}
              {view.query === query && <Icon name="check" />}
            </Link>
            <button
              type="button"
              className="quiet icon-button"
              aria-label={`Delete the view ${view.name}`}
              onClick={() => removeOne(view)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      <SaveForm
        query={query}
        save={(view) => {
          if (!save(view)) return false;
          hide();
          tell('The view was saved', view.name);
          return true;
        }}
      />
    </div>
  );
}

type SaveFormProps = { readonly query: string; readonly save: (view: SavedView) => boolean };

function SaveForm({ query, save }: SaveFormProps): ReactNode {
  const id = useId();
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const shown = viewName(name);
    if (shown === '') setFault('Enter a name.');
    else if (query.length > MOST_QUERY) setFault('The filters are too long to save.');
    else if (!save({ name: shown, query }))
      setFault(`A list has at most ${MOST_VIEWS} views. Delete one first.`);
  };
  return (
    <form className="views-form" onSubmit={submit} noValidate>
      <label htmlFor={id}>Name</label>
      <input
        id={id}
        autoComplete="off"
        maxLength={MOST_NAME}
        value={name}
        aria-invalid={fault !== null}
        aria-describedby={`${id}-fault`}
        onChange={({ target }) => setName(target.value)}
      />
      <p id={`${id}-fault`} role="alert" className="fault">
        {fault}
      </p>
      <button type="submit" className="primary">
        Save this view
      </button>
    </form>
  );
}

/** Within the page's width, and so that all of it can be scrolled to. */
function putBelow(panel: HTMLElement, button: DOMRect | null): void {
  if (button === null) return;
  const most = document.documentElement.clientWidth - panel.offsetWidth - GAP_PX;
  panel.style.top = `${button.bottom + scrollY + GAP_PX}px`;
  panel.style.left = `${Math.max(GAP_PX, Math.min(button.left, most))}px`;
}

const GAP_PX = 4;

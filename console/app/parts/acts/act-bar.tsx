// How many are chosen, and what can be done to them. It stays in sight while the list is scrolled.

import type { Act } from './act.ts';
import type { Chosen } from './use-chosen.ts';

type ActBarProps<Item> = {
  readonly chosen: Chosen<Item>;
  readonly acts: readonly Act<Item>[];
  readonly ask: (act: Act<Item>, items: readonly Item[]) => void;
};

export function ActBar<Item>({ chosen, acts, ask }: ActBarProps<Item>) {
  const { items, clear } = chosen;
  if (items.length === 0) return <p className="unseen" role="status" />;
  return (
    <section className="act-bar" aria-label="Selected">
      <p role="status">{items.length} selected</p>
      {acts.map((act) => {
        const meant = act.isFor === undefined ? items : items.filter(act.isFor);
        return (
          meant.length > 0 && (
            <button
              key={act.label}
              type="button"
              className={act.isDanger === true ? 'danger' : ''}
              onClick={() => ask(act, meant)}
            >
              {meant.length === items.length ? act.label : `${act.label} (${meant.length})`}
            </button>
          )
        );
      })}
      <button type="button" className="quiet" onClick={clear}>
        Clear
      </button>
    </section>
  );
}

// A list as a table that becomes cards on a phone, with what is shown while it loads, when it is empty and
// when it failed. The roles are said in so many words: as cards, the table's parts are laid out as grids, and
// browsers forget what they were.

import type { MouseEvent, ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';
import type { List } from './use-list.ts';

export type Column<Item> = {
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  /**
   * Numbers stand at the right; addresses stay whole; what can be done with a row has no title that is seen.
   */
  readonly kind?: 'number' | 'address' | 'actions';
};

type ListViewProps<Item> = {
  readonly list: List<Item>;
  /** What the table is, for who does not see it. */
  readonly label: string;
  readonly id: (item: Item) => string;
  /** The first column is the row's name; a link in it is followed by a click anywhere in the row. */
  readonly columns: readonly Column<Item>[];
  /** Shown when there is nothing. */
  readonly empty: ReactNode;
  /** Those of the list that are shown; all of them unless said. */
  readonly shown?: readonly Item[];
};

export function ListView<Item>({ list, label, id, columns, empty, shown = list.items }: ListViewProps<Item>) {
  if (list.error !== null) return <ProblemNote error={list.error} retry={list.again} />;
  if (!list.isLoading && list.items.length === 0 && list.more === null) return empty;
  return (
    <div className="list" aria-busy={list.isLoading || list.isEarlier === true}>
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, kind }) => (
              <th key={title} role="columnheader" scope="col" data-kind={kind}>
                {kind === 'actions' ? <span className="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {list.isLoading
            ? BONES.map((bone) => <BoneRow key={bone} columns={columns} />)
            : shown.map((item) => <Row key={id(item)} item={item} columns={columns} />)}
        </tbody>
      </table>
      {!list.isLoading && shown.length === 0 && <p className="list-none">No results.</p>}
      {list.more !== null && (
        <div className="list-foot">
          <button type="button" disabled={list.isLoadingMore} onClick={() => void list.more?.()}>
            {list.isLoadingMore ? 'Loading…' : 'More'}
          </button>
        </div>
      )}
    </div>
  );
}

type RowProps<Item> = { readonly item: Item; readonly columns: readonly Column<Item>[] };

function Row<Item>({ item, columns }: RowProps<Item>) {
  return (
    <tr role="row" onClick={followRow}>
      {columns.map(({ title, cell, kind }, index) =>
        index === 0 ? (
          <th key={title} role="rowheader" scope="row" data-kind={kind}>
            {cell(item)}
          </th>
        ) : (
          <td key={title} role="cell" data-title={title} data-kind={kind}>
            {cell(item)}
          </td>
        ),
      )}
    </tr>
  );
}

/** A convenience for the mouse: the link in the row's name is what keyboards and screen readers use. */
function followRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget } = event;
  // Clicks in a dialog that a cell opened come up here, too.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  if (target.closest(OWN_CLICKS) !== null || getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>('th > a')?.click();
}

function BoneRow<Item>({ columns }: Pick<RowProps<Item>, 'columns'>) {
  return (
    <tr role="row">
      {columns.map(({ title, kind }) => (
        <td key={title} role="cell" data-kind={kind}>
          {kind !== 'actions' && <span className="bone" />}
        </td>
      ))}
    </tr>
  );
}

const BONES = [1, 2, 3, 4];
const OWN_CLICKS = 'a, button, input, select, textarea, label, summary, [role=switch]';

// A list as a table that becomes cards on a phone, with what is shown while it loads, when it is empty and
// when it failed. The roles are said in so many words: as cards, the table's parts are laid out as grids, and
// browsers forget what they were.

import type { MouseEvent, ReactNode } from 'react';
import type { Chosen } from './acts/use-chosen.ts';
import { ProblemNote } from './problem-note.tsx';
import { ariaSort, HeadText, SortChoice, SortHead } from './sort-head.tsx';
import type { List } from './use-list.ts';
import type { ListSort } from './use-sort.ts';

export type Column<Item> = {
  readonly title: string;
  readonly cell: (item: Item) => ReactNode;
  /**
   * Numbers stand at the right; addresses stay whole; what can be done with a row has no title that is seen.
   */
  readonly kind?: 'number' | 'address' | 'time' | 'state' | 'actions';
  /** What the API calls the order by this column. */
  readonly sort?: string;
  /** Pressed for the first time, the newest or the last comes first. */
  readonly isLastFirst?: boolean;
  /** Where a page is smaller, it is not there; a phone has all of them. */
  readonly room?: 'laptop' | 'desk' | 'wide';
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
  /** Where columns have a `sort`. */
  readonly sort?: ListSort;
  /** Where several can be chosen. */
  readonly chosen?: Chosen<Item>;
  /** What a row is called, for its box. */
  readonly nameOf?: (item: Item) => string;
};

export function ListView<Item>(props: ListViewProps<Item>) {
  const { list, label, id, columns, empty, shown = list.items, sort, chosen, nameOf = id } = props;
  if (list.error !== null) return <ProblemNote error={list.error} retry={list.again} />;
  if (!list.isLoading && list.items.length === 0 && list.more === null) return empty;
  return (
    <div
      className="list"
      data-dense={sort !== undefined || chosen !== undefined}
      aria-busy={list.isLoading || list.isEarlier === true}
    >
      {(sort !== undefined || chosen !== undefined) && (
        <div className="list-tools">
          {chosen !== undefined && <AllBox chosen={chosen} label="All on this page" />}
          {sort !== undefined && <SortChoice columns={columns} sort={sort} />}
        </div>
      )}
      <table role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {chosen !== undefined && (
              <th role="columnheader" scope="col" data-kind="choose">
                <AllBox chosen={chosen} />
                <HeadText>Selected</HeadText>
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.title}
                role="columnheader"
                scope="col"
                data-kind={column.kind}
                data-room={column.room}
                aria-sort={ariaSort({ column, sort })}
              >
                {column.kind === 'actions' ? (
                  <span className="unseen">{column.title}</span>
                ) : (
                  <SortHead column={column} sort={sort} />
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {list.isLoading
            ? BONES.map((bone) => <BoneRow key={bone} columns={columns} isChosen={chosen !== undefined} />)
            : shown.map((item) => (
                <Row key={id(item)} item={item} columns={columns} chosen={chosen} name={nameOf(item)} />
              ))}
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

type AllBoxProps<Item> = { readonly chosen: Chosen<Item>; readonly label?: string };

function AllBox<Item>({ chosen: { all, toggleAll }, label }: AllBoxProps<Item>) {
  return (
    <label className="check">
      <input
        type="checkbox"
        aria-label="All on this page"
        checked={all === 'all'}
        ref={(box) => {
          if (box !== null) box.indeterminate = all === 'some';
        }}
        onChange={toggleAll}
      />
      {label}
    </label>
  );
}

type RowProps<Item> = {
  readonly item: Item;
  readonly columns: readonly Column<Item>[];
  readonly chosen: Chosen<Item> | undefined;
  readonly name: string;
};

function Row<Item>({ item, columns, chosen, name }: RowProps<Item>) {
  return (
    <tr role="row" onClick={followRow}>
      {chosen !== undefined && (
        <td role="cell" data-kind="choose">
          <label className="check">
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={chosen.has(item)}
              onChange={() => chosen.toggle(item)}
            />
          </label>
        </td>
      )}
      {columns.map(({ title, cell, kind, room }, index) =>
        index === 0 ? (
          <th key={title} role="rowheader" scope="row" data-kind={kind} data-room={room}>
            {cell(item)}
          </th>
        ) : (
          <td key={title} role="cell" data-title={title} data-kind={kind} data-room={room}>
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

type BoneRowProps<Item> = Pick<RowProps<Item>, 'columns'> & { readonly isChosen: boolean };

function BoneRow<Item>({ columns, isChosen }: BoneRowProps<Item>) {
  return (
    <tr role="row">
      {isChosen && <td role="cell" data-kind="choose" />}
      {columns.map(({ title, kind, room }) => (
        <td key={title} role="cell" data-kind={kind} data-room={room}>
          {kind !== 'actions' && <span className="bone" />}
        </td>
      ))}
    </tr>
  );
}

const BONES = [1, 2, 3, 4];
const OWN_CLICKS = 'a, button, input, select, textarea, label, summary, [role=switch]';

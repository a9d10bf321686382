// A list as a table that becomes cards on a phone, with what is shown while it loads, when it is empty and when it failed.

import type { ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';
import type { List } from './use-list.ts';

export type Column<Item> = { readonly title: string; readonly cell: (item: Item) => ReactNode };

type ListViewProps<Item> = {
  readonly list: List<Item>;
  /** What the table is, for who does not see it. */
  readonly label: string;
  readonly id: (item: Item) => string;
  /** The first column is the row's name. */
  readonly columns: readonly Column<Item>[];
  /** Shown when there is nothing. */
  readonly empty: ReactNode;
  /** Those of the list that are shown; all of them unless said. */
  readonly shown?: readonly Item[];
};

export function ListView<Item>({ list, label, id, columns, empty, shown = list.items }: ListViewProps<Item>) {
  if (list.error !== null) return <ProblemNote error={list.error} retry={list.again} />;
  if (list.isLoading)
    return (
      <p className="soft" aria-busy="true">
        Loading…
      </p>
    );
  if (list.items.length === 0 && list.more === null) return empty;
  return (
    <>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <tr key={id(item)}>
              {columns.map(({ title, cell }, index) =>
                index === 0 ? (
                  <th key={title} scope="row">
                    {cell(item)}
                  </th>
                ) : (
                  <td key={title} data-title={title}>
                    {cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="soft">Nothing matches.</p>}
      {list.more !== null && (
        <button type="button" disabled={list.isLoadingMore} onClick={() => void list.more?.()}>
          More
        </button>
      )}
    </>
  );
}

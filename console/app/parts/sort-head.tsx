// How a list is sorted: by pressing the head of a column, or, where a phone has no heads, by choosing.

import type { ListSort } from './use-sort.ts';

export type SortedColumn = {
  readonly title: string;
  readonly sort?: string | undefined;
  /** Pressed for the first time, the newest or the last comes first. */
  readonly isLastFirst?: boolean | undefined;
};

type HeadProps = { readonly column: SortedColumn; readonly sort: ListSort | undefined };

export function SortHead({ column: { title, sort: key, isLastFirst = false }, sort }: HeadProps) {
  if (key === undefined || sort === undefined) return title;
  const way = wayOf(key, sort);
  const next = way === null ? (isLastFirst ? `-${key}` : key) : way === 'ascending' ? `-${key}` : key;
  return (
    <>
      <button type="button" className="sort-head" onClick={() => sort.change(next)}>
        {title}
        <span aria-hidden="true">{way === null ? '' : way === 'ascending' ? '↑' : '↓'}</span>
      </button>
      <HeadText>{title}</HeadText>
    </>
  );
}

/** What a head is called on a phone, where nothing can be pressed in it. */
export function HeadText({ children }: { readonly children: string }) {
  return <span className="column-name">{children}</span>;
}

/** For the head's `aria-sort`: absent where the list is not sorted by it. */
export function ariaSort({ column, sort }: HeadProps): 'ascending' | 'descending' | undefined {
  if (column.sort === undefined || sort === undefined) return undefined;
  return wayOf(column.sort, sort) ?? undefined;
}

type ChoiceProps = { readonly columns: readonly SortedColumn[]; readonly sort: ListSort };

/** Where there are no heads. */
export function SortChoice({ columns, sort }: ChoiceProps) {
  return (
    <select
      aria-label="Sort"
      className="sort-choice"
      value={sort.value}
      onChange={({ target }) => sort.change(target.value)}
    >
      {columns.flatMap(({ title, sort: key }) =>
        key === undefined
          ? []
          : [
              <option key={key} value={key}>{`${title} ↑`}</option>,
              <option key={`-${key}`} value={`-${key}`}>{`${title} ↓`}</option>,
            ],
      )}
    </select>
  );
}

function wayOf(key: string, { value }: ListSort): 'ascending' | 'descending' | null {
  if (value === key) return 'ascending';
  return value === `-${key}` ? 'descending' : null;
}

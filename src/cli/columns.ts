// Aligned columns for people. The last column is never padded. A table fits the terminal that it is printed
// on, whose width is known there alone: in pipes every cell is whole.

import { plain, type Terminal } from './terminal.ts';

export function alignedRows(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) => {
      const cells = row.map((cell, index) =>
        plain(cell).padEnd(index === row.length - 1 ? 0 : (widths[index] ?? 0)),
      );
      return `${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}

/**
 * A table whose first row is its heading. Where it is wider than the terminal, an ID beside a name is left
 * out first, since every command takes the name; then the widest cells are cut, with `…`; and where they
 * would say too little, each row is told line by line.
 */
export function tableText(rows: readonly (readonly string[])[], { width = null }: WidthOf): string {
  if (width === null || isWithin(alignedRows(rows), width)) return alignedRows(rows);
  const named = withoutIds(rows);
  const narrow = cutTo(named, width);
  return narrow === null ? stackedRows(rows) : alignedRows(narrow);
}

/** Parts of one line, two spaces apart, wrapped between parts at the terminal's width. */
export function wrappedLine(parts: readonly string[], { width = null }: WidthOf): string {
  let text = '';
  let line = '';
  for (const part of parts.map(plain)) {
    const joined = line === '' ? part : `${line}  ${part}`;
    if (line !== '' && width !== null && joined.trimEnd().length > width) {
      text += `${line.trimEnd()}\n`;
      line = `    ${part}`;
    } else line = joined;
  }
  return `${text}${line}\n`;
}

type WidthOf = Pick<Terminal, 'width'>;

function isWithin(text: string, width: number): boolean {
  return text.split('\n').every((line) => line.length <= width);
}

function withoutIds(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const [head = []] = rows;
  const isNamed = NAMES.has(head[0] ?? '') && head.at(-1) === 'ID';
  return isNamed ? rows.map((row) => row.slice(0, -1)) : rows;
}

/**
 * Null when a column would have less than its least. What names a row, and IDs, are for copying: they stay
 * whole.
 */
function cutTo(rows: readonly (readonly string[])[], width: number): readonly (readonly string[])[] | null {
  const [head = []] = rows;
  const widths = head.map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  let excess = widths.reduce((sum, each) => sum + each, 0) + GAP * (head.length - 1) - width;
  while (excess > 0) {
    const least = (index: number) => Math.max(MIN_WIDTH, head[index]?.length ?? 0);
    const widest = widths
      .map((each, index) => ({ each, index }))
      .filter(({ each, index }) => index > 0 && head[index] !== 'ID' && each > least(index))
      .toSorted((one, other) => other.each - one.each)[0];
    if (widest === undefined) return null;
    widths[widest.index] = widest.each - 1;
    excess -= 1;
  }
  return rows.map((row) => row.map((cell, index) => cut(plain(cell), widths[index] ?? 0)));
}

function cut(cell: string, width: number): string {
  return cell.length <= width ? cell : `${cell.slice(0, Math.max(0, width - 1)).trimEnd()}…`;
}

function stackedRows([head = [], ...rows]: readonly (readonly string[])[]): string {
  return rows
    .map(
      ([first = '', ...cells]) =>
        `${plain(first)}\n${alignedRows(cells.map((cell, index) => [`  ${(head[index + 1] ?? '').toLowerCase()}`, cell]))}`,
    )
    .join('\n');
}

/** Headings of what commands take in the place of an ID. */
const NAMES: ReadonlySet<string> = new Set(['NAME', 'EMAIL', 'HOST']);
const GAP = 2;
/** Less than that tells nothing. */
const MIN_WIDTH = 10;

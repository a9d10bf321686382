// Aligned columns for people. The last column is never padded.

import { plain } from './terminal.ts';

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

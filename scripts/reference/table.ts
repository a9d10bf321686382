// A Markdown table.

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |\n`;
}

/** What Markdown would take for more than text, outside of code. */
function escaped(cell: string): string {
  const parts = cell.replaceAll('|', '\\|').split('`');
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/[*_<]/g, String.raw`\$&`) : part))
    .join('`');
}

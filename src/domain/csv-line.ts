// A line of a CSV file as a spreadsheet reads it (RFC 4180). What comes from others may look like a formula;
// a spreadsheet that is given one as text must not run it.

/** With its line break. Each cell stands in quotes; an apostrophe before a formula makes it text. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

function cell(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text;
  return `"${guarded.replaceAll('"', '""')}"`;
}

/** As spreadsheets see a beginning: after spaces too, and in their wide forms. */
const FORMULA = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]|^[\t\r\n]/u;

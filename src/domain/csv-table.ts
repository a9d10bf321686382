// A CSV file that somebody chose or pasted, as rows of cells (RFC 4180): quotes, any line break, a byte order
// mark, and the semicolons or tabs that some spreadsheets write. Whatever is not clear is a fault with its
// line, never a guess. One pass, in time that grows with the text alone.

export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

export type CsvFault = { readonly line: number; readonly message: string };

export type CsvTable =
  | { readonly rows: readonly CsvRow[]; readonly fault: null }
  | { readonly rows: null; readonly fault: CsvFault };

/** Rows without any text are left out. Cells are trimmed unless they stand in quotes. */
export function parseCsv(given: string): CsvTable {
  if (given.length > MAX_CHARACTERS) return fault(1, 'the text is longer than 256 KiB');
  const text = given.startsWith('\ufeff') ? given.slice(1) : given;
  const separator = separatorOf(text);
  const rows: CsvRow[] = [];
  let [line, at] = [1, 0];
  while (at < text.length) {
    const start = line;
    const cells: string[] = [];
    for (;;) {
      const read = readCell(text, at, separator);
      if (typeof read === 'string') return fault(line, read);
      cells.push(read.cell);
      line += read.breaks;
      at = read.end;
      if (cells.length > MAX_CELLS) return fault(start, `the row has more than ${MAX_CELLS} cells`);
      if (text[at] !== separator) break;
      at++;
    }
    if (cells.some((cell) => cell !== '')) rows.push({ line: start, cells });
    if (rows.length > MAX_ROWS) return fault(start, `there are more than ${MAX_ROWS} rows`);
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    line++;
  }
  return { rows, fault: null };
}

type Cell = { readonly cell: string; readonly end: number; readonly breaks: number };

/** `end` is at the separator, the line break or the end of the text. A text says what is wrong. */
function readCell(text: string, start: number, separator: string): Cell | string {
  let at = start;
  while (text[at] === ' ') at++;
  if (text[at] === '"') return readQuoted(text, at, separator);
  let end = at;
  while (end < text.length && text[end] !== separator && !isBreak(text[end])) end++;
  const cell = text.slice(at, end).trim();
  if (cell.includes('"')) return 'a quote stands inside a cell that does not begin with one';
  return checked({ cell, end, breaks: 0 });
}

function readQuoted(text: string, start: number, separator: string): Cell | string {
  let cell = '';
  let at = start + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close === -1) return 'a quote is not closed';
    cell += text.slice(at, close);
    at = close + 1;
    if (text[at] !== '"') break;
    cell += '"';
    at++;
  }
  while (text[at] === ' ') at++;
  if (at < text.length && text[at] !== separator && !isBreak(text[at])) return 'text follows a closing quote';
  return checked({ cell, end: at, breaks: cell.match(/\r\n|\r|\n/g)?.length ?? 0 });
}

function checked(read: Cell): Cell | string {
  if (read.cell.length > MAX_CELL) return `a cell is longer than ${MAX_CELL} characters`;
  if (CONTROLS.test(read.cell)) return 'a cell has a control character or a line break';
  // What stands for bytes that were no text: a spreadsheet saved it in an encoding of its own.
  return read.cell.includes('\ufffd') ? 'a character is not UTF-8: save the file as CSV UTF-8' : read;
}

function isBreak(character: string | undefined): boolean {
  return character === '\n' || character === '\r';
}

/** What stands most often in the first line, outside of quotes; a comma where nothing does. */
function separatorOf(text: string): string {
  const [first = ''] = text
    .slice(0, MAX_FIRST_LINE)
    .replace(/^[\r\n]+/, '')
    .split(/[\r\n]/, 1);
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const count = (separator: string): number => bare.split(separator).length;
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function fault(line: number, message: string): CsvTable {
  return { rows: null, fault: { line, message } };
}

const MAX_CHARACTERS = 256 * 1024;
const MAX_FIRST_LINE = 10_000;
/** One more than the people of a file, for its head. */
const MAX_ROWS = 501;
const MAX_CELLS = 20;
const MAX_CELL = 300;
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;

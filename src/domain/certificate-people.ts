// The people of a CSV file who are to get certificates: an email address, and, where they are said, a common
// name and for how many days. Everything that is wrong is told with its line, before anything is made.

import { type CsvFault, type CsvRow, parseCsv } from './csv-table.ts';
import { isAsciiAddress } from './email-address.ts';

export type CertificatePerson = {
  readonly line: number;
  readonly email: string;
  readonly commonName: string;
  /** Null: as for the others. */
  readonly days: number | null;
};

export type CertificatePeople = {
  readonly people: readonly CertificatePerson[];
  readonly faults: readonly CsvFault[];
};

/**
 * Columns in the order email, name, days, or as a first line with these names says. People who have faults
 * are not among `people`.
 */
export function parseCertificatePeople(text: string): CertificatePeople {
  const table = parseCsv(text);
  if (table.fault !== null) return { people: [], faults: [table.fault] };
  const [head] = table.rows;
  const columns = head === undefined || !isHead(head) ? DEFAULT_COLUMNS : columnsOf(head);
  if ('fault' in columns) return { people: [], faults: [columns.fault] };
  const rows = columns === DEFAULT_COLUMNS ? table.rows : table.rows.slice(1);
  if (rows.length > MAX_PEOPLE)
    return { people: [], faults: [{ line: 1, message: `there are more than ${MAX_PEOPLE} people` }] };
  const people: CertificatePerson[] = [];
  const faults: CsvFault[] = [];
  const lines = new Map<string, number>();
  for (const row of rows) {
    const read = personOf(row, columns);
    if ('message' in read) {
      faults.push(read);
      continue;
    }
    const key = JSON.stringify([read.email.toLowerCase(), read.commonName]);
    const earlier = lines.get(key);
    if (earlier === undefined) people.push(read);
    else faults.push({ line: row.line, message: `the same person and name are in line ${earlier}` });
    lines.set(key, earlier ?? row.line);
  }
  return { people, faults };
}

type Columns = { readonly email: number; readonly name: number | null; readonly days: number | null };

function isHead({ cells }: CsvRow): boolean {
  return cells.every((cell) => !cell.includes('@'));
}

function columnsOf({ line, cells }: CsvRow): Columns | { readonly fault: CsvFault } {
  const titles = cells.map((cell) => TITLES[cell.toLowerCase()]);
  const unknown = cells.find((cell, index) => cell !== '' && titles[index] === undefined);
  if (unknown !== undefined)
    return { fault: { line, message: `the column "${unknown}" is none of email, name, days` } };
  for (const title of ['email', 'name', 'days'] as const)
    if (titles.filter((each) => each === title).length > 1)
      return { fault: { line, message: `there are two columns "${title}"` } };
  const place = (title: 'name' | 'days'): number | null =>
    titles.includes(title) ? titles.indexOf(title) : null;
  if (!titles.includes('email')) return { fault: { line, message: 'there is no column "email"' } };
  return { email: titles.indexOf('email'), name: place('name'), days: place('days') };
}

function personOf({ line, cells }: CsvRow, columns: Columns): CertificatePerson | CsvFault {
  const used = new Set([columns.email, columns.name, columns.days]);
  const surplus = cells.findIndex((cell, index) => cell !== '' && !used.has(index));
  if (surplus !== -1) return { line, message: `cell ${surplus + 1} belongs to no column` };
  const cellAt = (column: number | null): string => (column === null ? '' : (cells[column] ?? '').trim());
  const email = cellAt(columns.email);
  if (!isAsciiAddress(email))
    return {
      line,
      message: email === '' ? 'the email address is missing' : `"${email}" is not an email address`,
    };
  const name = cellAt(columns.name);
  const commonName = name || email;
  if ([...commonName].length > MAX_COMMON_NAME)
    return {
      line,
      message: `the ${name === '' ? 'address, which is the name,' : 'name'} is longer than ${MAX_COMMON_NAME} characters`,
    };
  const days = cellAt(columns.days);
  if (days === '') return { line, email, commonName, days: null };
  if (!/^\d{1,3}$/.test(days) || Number(days) < 1 || Number(days) > MAX_DAYS)
    return { line, message: `"${days}" is not a number of days from 1 to ${MAX_DAYS}` };
  return { line, email, commonName, days: Number(days) };
}

const DEFAULT_COLUMNS: Columns = { email: 0, name: 1, days: 2 };
const TITLES: Readonly<Record<string, 'email' | 'name' | 'days' | undefined>> = Object.assign(
  Object.create(null) as object,
  {
    email: 'email',
    'email address': 'email',
    'e-mail': 'email',
    name: 'name',
    'common name': 'name',
    days: 'days',
    'valid for days': 'days',
  } as const,
);
const MAX_PEOPLE = 500;
/** X.520: `ub-common-name`. */
const MAX_COMMON_NAME = 64;
/** As certificates are at most. */
const MAX_DAYS = 397;

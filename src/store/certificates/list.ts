// Certificates of an account, in an order that somebody chose. How many one page of a search looks at is
// bounded, since on SQLite everything waits for it.

import { type Expression, sql, type SqlBool } from 'kysely';
import { comparableAddress } from '../../domain/email-address.ts';
import type { CertificateOrder } from '../../domain/list-orders.ts';
import type { CertificateListPage, CertificateQuery } from './certificate.ts';
import { toCertificate } from './row.ts';
import { hasText } from './search.ts';
import { idsWith } from './words.ts';
import type { Records } from '../records.ts';
import {
  countUpTo,
  numberColumn,
  type Ordered,
  pageInOrder,
  type Place,
  placeOfLast,
  type SortColumns,
  textColumn,
} from '../sorting.ts';

export async function listCertificates(
  records: Records,
  query: CertificateQuery,
): Promise<CertificateListPage> {
  const { read } = records;
  const { after, limit } = query;
  const way = await wayTo(records, query);
  if (way.ids?.length === 0) return { certificates: [], next: null };
  const last = await lastLookedAt(read, query, way);
  const chosen = certificatesOf(read, query, way)
    .selectAll()
    .where((eb) => eb.and(conditions(query, way)));
  const { rows, next } = await pageInOrder(chosen, orderedBy(query, way), { after, limit, last });
  return { certificates: rows.map(toCertificate), next };
}

/** As `CertificateTable.countFound`. */
export async function countFoundCertificates(
  records: Records,
  query: CertificateQuery,
  most: number,
): Promise<number | null> {
  const { accountId, text, emailAddress, tokenId, state, endsBefore } = query;
  const { read } = records;
  const way = await wayTo(records, query);
  if (way.ids?.length === 0) return 0;
  const isByIndex = [text, emailAddress, tokenId].every((value) => value === null);
  const whole = { ...query, after: null };
  if (!isByIndex && (await lastLookedAt(read, whole, way)) !== null) {
    // Many of one person, or of one token, are more than anybody counts.
    const asked = [text, emailAddress, tokenId, state, endsBefore].filter((value) => value !== null);
    return asked.length === 1 && text === null ? most : null;
  }
  const found = isByIndex
    ? read
        .selectFrom('client_certificates')
        .where('account_id', '=', accountId)
        .$if(state === 'living', (select) => select.where('revoked_at', 'is', null))
        .$if(state === 'revoked', (select) => select.where('revoked_at', 'is not', null))
        .where((eb) => eb.and(ends(eb.ref('not_after'), query)))
    : certificatesOf(read, query, way).where((eb) => eb.and(conditions(query, way)));
  return countUpTo(read, found, most);
}

/** How rows are come by. */
type Way = {
  /**
   * Few of a token, of a person, or that an index finds by a text: they are put in order then. Else the index
   * of the order is walked, and whatever is asked for takes looking at each.
   */
  readonly by: 'token' | 'email' | 'ids' | 'order';
  /** Those that may have the text. */
  readonly ids?: readonly string[];
};

async function wayTo(records: Records, query: CertificateQuery): Promise<Way> {
  const { accountId, emailAddress, tokenId, text } = query;
  const one = records.read
    .selectFrom('client_certificates')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .offset(MOST_LOOKED_AT);
  const narrow = {
    token: tokenId === null ? null : one.where('token_id', '=', tokenId),
    email: emailAddress === null ? null : one.where('email_address', '=', comparableAddress(emailAddress)),
  };
  for (const by of ['token', 'email'] as const) {
    const among = narrow[by];
    if (among !== null && (await among.executeTakeFirst()) === undefined) return { by };
  }
  const ids = text === null ? null : await idsWith(records, { accountId, text });
  return ids === null ? { by: 'order' } : { by: 'ids', ids };
}

function certificatesOf(read: Records['read'], query: CertificateQuery, way: Way) {
  const { accountId, emailAddress, tokenId } = query;
  return read
    .selectFrom('client_certificates')
    .where('account_id', '=', accountId)
    .$if(way.by === 'token', (select) => select.where('token_id', '=', tokenId))
    .$if(way.by === 'email', (select) =>
      select.where('email_address', '=', comparableAddress(emailAddress ?? '')),
    )
    .$if(way.by === 'ids', (select) => select.where('client_certificates.id', 'in', way.ids ?? []))
    .where((eb) => eb.and(isByEnd(query, way) ? ends(eb.ref('not_after'), query) : []));
}

function orderedBy({ sort }: CertificateQuery, { by }: Way): Ordered {
  const areFew = by !== 'order';
  if (sort === undefined)
    return { columns: [textColumn('client_certificates.id')], descending: false, areFew };
  return { columns: ORDERS[sort.by], descending: sort.descending, areFew };
}

/** Null when a page can look at all that there is, as where there are few. */
async function lastLookedAt(read: Records['read'], query: CertificateQuery, way: Way): Promise<Place | null> {
  const { text, emailAddress, tokenId, state, endsBefore } = query;
  // Without a filter whatever is looked at is found.
  const isSearch = [text, emailAddress, tokenId, state, endsBefore].some((value) => value !== null);
  if (!isSearch || way.by !== 'order') return null;
  const { after } = query;
  const ordered = orderedBy(query, way);
  return placeOfLast(certificatesOf(read, query, way), ordered, { after, most: MOST_LOOKED_AT });
}

/** In words that no index has, so that the way stays the way. */
function conditions(query: CertificateQuery, way: Way): Expression<SqlBool>[] {
  const { text, emailAddress, tokenId, state } = query;
  const all: Expression<SqlBool>[] = [];
  if (text !== null) all.push(hasText(text));
  if (tokenId !== null && way.by !== 'token')
    all.push(sql<SqlBool>`client_certificates.token_id || '' = ${tokenId}`);
  if (emailAddress !== null && way.by !== 'email')
    all.push(sql<SqlBool>`client_certificates.email_address || '' = ${comparableAddress(emailAddress)}`);
  if (state === 'revoked') all.push(sql<SqlBool>`client_certificates.revoked_at + 0 IS NOT NULL`);
  if (state === 'living') all.push(sql<SqlBool>`client_certificates.revoked_at + 0 IS NULL`);
  if (!isByEnd(query, way)) all.push(...ends(sql<number>`client_certificates.not_after + 0`, query));
  return all;
}

/** Whether the index of the order begins or ends where certificates are over. */
function isByEnd({ sort }: CertificateQuery, way: Way): boolean {
  return way.by === 'order' && sort?.by === 'expires';
}

function ends(end: Expression<number>, { state, endsBefore, now }: CertificateQuery): Expression<SqlBool>[] {
  const all: Expression<SqlBool>[] = [];
  if (state === 'living') all.push(sql<SqlBool>`${end} > ${now}`);
  if (state === 'expired') all.push(sql<SqlBool>`${end} <= ${now}`);
  if (endsBefore !== null) all.push(sql<SqlBool>`${end} < ${endsBefore}`);
  return all;
}

const ORDERS: Readonly<Record<CertificateOrder, SortColumns>> = {
  created: [numberColumn('client_certificates.created_at'), textColumn('client_certificates.id')],
  expires: [numberColumn('client_certificates.not_after'), textColumn('client_certificates.id')],
};
/** Some milliseconds on SQLite, where everything waits for it. */
const MOST_LOOKED_AT = 2_000;

// Every operation of the API on both engines, SQLite and a real PostgreSQL: done, with the same answer but
// for ids and times.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startControl, startControlOn, type TestAnswer, type TestControl } from '../support/control.ts';
import type { Store } from '../../src/store/store.ts';
import {
  addThings,
  callOf,
  isForOneself,
  type Operation,
  operations,
  type Things,
} from '../support/operations.ts';
import { openPostgresTestStore, startPostgres, type TestPostgres } from '../support/postgres.ts';

type Engine = { readonly control: TestControl<Store>; readonly things: Things };

describe('every operation on both engines', () => {
  let server: TestPostgres;
  let sqlite: Engine;
  let postgres: Engine;
  before(async () => {
    server = await startPostgres();
    sqlite = await filled(await startControl());
    postgres = await filled(await startControlOn(await openPostgresTestStore(server)));
  });
  after(async () => {
    await sqlite.control[Symbol.asyncDispose]();
    await postgres.control[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  // What is deleted is looked at and changed before; what depends on a thing goes before it.
  const all = operations();
  const order = [
    ...all.filter(({ method }) => method === 'GET'),
    ...all.filter(({ method }) => method !== 'GET' && method !== 'DELETE'),
    ...all.filter(({ method, parameter }) => method === 'DELETE' && parameter === 'session'),
    ...all.filter(({ method, parameter }) => method === 'DELETE' && parameter === 'host'),
    ...all.filter(
      ({ method, parameter }) => method === 'DELETE' && parameter !== 'session' && parameter !== 'host',
    ),
  ];
  // A key has nothing of its own.
  const lists = all.filter((each) => each.isPaged && each.parameter === null && !isForOneself(each));
  for (const operation of lists)
    test(`${operation.id} is read on from page to page`, async () => {
      const { path } = callOf(operation, '');
      const list = `${path}${path.includes('?') ? '&' : '?'}`;
      for (const { control } of [sqlite, postgres]) {
        const whole = await idsOn(control, `${list}limit=200`);
        const read: string[] = [];
        let next: string | null = '';
        while (next !== null) {
          const page = await idsOn(control, `${list}limit=1${next === '' ? '' : `&cursor=${next}`}`);
          read.push(...page.ids);
          next = page.next;
        }
        assert.deepEqual(read, whole.ids);
        assert.ok(read.length > 0, 'there is something to read');
      }
    });

  for (const operation of order)
    test(`${operation.id} is done, and answers the same`, async () => {
      const [one, other] = [await send(operation, sqlite), await send(operation, postgres)];
      const expected = isForOneself(operation) ? OF_NOBODY : REFUSED[operation.id];
      if (expected === undefined)
        assert.ok(one.status < 300, `${one.status} ${JSON.stringify(one.document)}`);
      else assert.deepEqual([one.status, one.document['code']], expected);
      assert.equal(other.status, one.status, JSON.stringify(other.document));
      assert.deepEqual(shapeOf(other.document), shapeOf(one.document));
      assert.deepEqual([...other.headers.keys()].toSorted(), [...one.headers.keys()].toSorted());
    });
});

/**
 * No record proves the host, no certificate comes over plain HTTP, and what stands for a token is none: a
 * real one is redeemed with the things. The one request for access was granted before.
 */
const REFUSED: Readonly<Record<string, readonly [status: number, code: string]>> = {
  verifyHost: [409, 'host_unproved'],
  dismissAccessRequest: [409, 'access_request_decided'],
  redeemCertificate: [404, 'token_unknown'],
  renewCertificate: [403, 'certificate_required'],
};

/** A key has nothing of its own: the store's suite asks both engines for what a person has. */
const OF_NOBODY = [403, 'not_allowed'] as const;

async function filled(control: TestControl<Store>): Promise<Engine> {
  return { control, things: await addThings(control) };
}

async function idsOn({ call }: TestControl<Store>, path: string) {
  const { status, document } = await call({ path });
  assert.equal(status, 200, JSON.stringify(document));
  const { items, nextCursor } = document as { items: readonly { id: string }[]; nextCursor: string | null };
  return { ids: items.map(({ id }) => id), next: nextCursor };
}

function send(operation: Operation, { control, things }: Engine): Promise<TestAnswer> {
  const names = operation.parameter === null ? [] : (things.named[operation.parameter] ?? []);
  return control.call(callOf(operation, names[0] ?? ''));
}

/**
 * Names and kinds of values; words that are the same for both as they are. Things of one moment come in any
 * order.
 */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(shapeOf).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      // The first characters of a key may look like a word.
      Object.entries(value).map(([key, each]) => [
        key,
        key === 'start' && each !== null ? 'text' : shapeOf(each),
      ]),
    );
  return typeof value === 'string' && !/^[a-z_.-]{1,40}$/.test(value)
    ? 'text'
    : typeof value === 'number'
      ? 'number'
      : value;
}

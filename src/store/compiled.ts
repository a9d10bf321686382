// Queries that a rush of calls asks for again and again: each is built and compiled once for each database,
// which takes longer than SQLite takes to answer most of them.

import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Locks } from './engine.ts';
import type { Tables } from './tables.ts';

/** The database is known by its locks, of which each has one object. */
export type On = { readonly locks: Locks; readonly db: Kysely<Tables> };

/**
 * `build` is called at the first call alone, with a place for each value: it hands places to the query as
 * they are, since whatever it did with one would be done once. Each call gives the same names.
 */
export function compiledOnce<Given extends object, Row>(
  build: (on: On, given: Given) => Compilable<Row>,
): (on: On, given: Given) => Promise<QueryResult<Row>> {
  const known = new WeakMap<Locks, CompiledQuery<Row>>();
  return (on, given) => {
    const compiled = known.get(on.locks) ?? build(on, placesOf(given)).compile();
    known.set(on.locks, compiled);
    const parameters = compiled.parameters.map((each) =>
      each instanceof Place ? given[each.name as keyof Given] : each,
    );
    return on.db.executeQuery({ ...compiled, parameters });
  };
}

/** Where a value comes in that each call has its own of. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function placesOf<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.keys(given).map((name) => [name, new Place(name)])) as Given;
}

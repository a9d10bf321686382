// The control API beside its own description (DESIGN 2.5): whatever is sent, by whom, in whichever form, no
// operation answers with a fault of the service, with a status that is not described, or with a body that is
// not as described.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { newApiKey } from '../../src/domain/api-key.ts';
import { anyCharacter } from '../support/any-character.ts';
import {
  apiDescription,
  describedOperations,
  type DescribedOperation,
  type DescribedParameter,
} from '../support/api-description.ts';
import { startControl, type TestAnswer, type TestCall, type TestControl } from '../support/control.ts';
import { schemaFaults } from '../support/json-schema.ts';
import { addThings, type Things } from '../support/operations.ts';
import { useLookup } from '../support/resolver.ts';
import { inputsOf, valuesOf } from '../support/schema-values.ts';

/** The same inputs in each run: a gate that finds something new in one run of many helps nobody. */
const SEED = 20_260_101;
const RUNS = 60;
/** Stands for a body that nobody wants to read in a report. */
const TOO_LARGE = 'too large';

const description = apiDescription();
const { schemas } = description.components;

type Described = ReturnType<typeof describedOperations>[number];
type Sender = 'alice' | 'mallory' | 'nobody' | 'stranger';
type Sent = Omit<TestCall, 'as'> & { readonly as: Sender };

describe('the API is as its description says, whatever is sent', () => {
  let control: TestControl;
  let things: Things;
  before(async () => {
    control = await startControl();
    things = await addThings(control);
  });
  after(() => control[Symbol.asyncDispose]());

  for (const described of describedOperations(description)) {
    const { method, path, operation } = described;
    test(`${method} ${path}`, async (t) => {
      // No name that is made up is looked up outside.
      useLookup(t, () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })));
      const stranger = { id: control.alice.id, apiKey: newApiKey() };
      const callers = { ...control, nobody: null, stranger };
      await fc.assert(
        fc.asyncProperty(callOf(described, things), async ({ as, ...call }) => {
          const body = call.body === TOO_LARGE ? { body: 'x'.repeat(70_000) } : {};
          const answer = await control.call({ ...call, ...body, as: callers[as] });
          assert.deepEqual(answerFaults(operation, answer), []);
        }),
        { seed: SEED, numRuns: RUNS },
      );
    });
  }

  test('a method that is not described is 405, with those that are', async () => {
    for (const path of Object.keys(description.paths)) {
      const known = methodsAt(path.replace(/\{\w+\}/, 'x'));
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        if (!known.includes(method)) {
          const answer = await control.call({ method, path: path.replace(/\{\w+\}/, 'x') });
          const allow = known.join(', ');
          assert.deepEqual([answer.status, answer.headers.get('allow')], [405, allow], `${method} ${path}`);
          assert.deepEqual(problemFaults(answer), []);
        }
    }
  });
});

/** A path that is written out goes before one with a name in it (OpenAPI 3.1.0 section 4.8.8). */
function methodsAt(path: string): readonly string[] {
  const found =
    description.paths[path] ??
    Object.entries(description.paths).find(([other]) =>
      new RegExp(`^${other.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )?.[1] ??
    {};
  const methods = Object.keys(found).map((method) => method.toUpperCase());
  return (methods.includes('GET') ? [...methods, 'HEAD'] : methods).toSorted();
}

/** One call of the operation by somebody, sound or not. */
function callOf({ method, path, operation }: Described, things: Things): fc.Arbitrary<Sent> {
  const { parameters = [], requestBody } = operation;
  const within = (place: string) => parameters.filter((each) => each.in === place);
  return fc
    .record({
      as: fc.constantFrom<Sender[]>(
        'alice',
        'alice',
        'alice',
        'alice',
        'alice',
        'mallory',
        'nobody',
        'stranger',
      ),
      named: fc.record(Object.fromEntries(within('path').map((each) => [each.name, namesOf(each, things)]))),
      query: queriesOf(within('query')),
      headers: headersOf(within('header')),
      sent: requestBody === undefined ? fc.constant<Body>({}) : bodiesOf(requestBody),
    })
    .map(({ as, named, query, headers, sent: { headers: type, ...body } }) => {
      const filled = path.replace(/\{(\w+)\}/, (_, name: string) => encodeURIComponent(String(named[name])));
      return Object.assign(body, { as, method, path: filled + query, headers: Object.assign(headers, type) });
    });
}

/** Dots alone are taken out of an address before it is sent. */
function namesOf({ name, schema }: DescribedParameter, { named }: Things): fc.Arbitrary<unknown> {
  const ours = fc.constantFrom(...(named[name] ?? ['nobodys']));
  const others = valuesOf(schema, schemas, name).filter((value) => !/^\.{0,2}$/.test(String(value)));
  const tooLong = fc.constant('x'.repeat(301));
  return fc.oneof({ weight: 3, arbitrary: ours }, { weight: 3, arbitrary: others }, tooLong);
}

function queriesOf(parameters: readonly DescribedParameter[]): fc.Arbitrary<string> {
  const known =
    parameters.length === 0
      ? fc.constant([])
      : fc.array(fc.oneof(...parameters.map(pairOf)), { maxLength: 3 });
  const unknown = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 1 });
  return fc.tuple(known, fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, unknown)).map(([some, more]) => {
    const query = [...some, ...more].map((pair) => pair.map(encodeURIComponent).join('='));
    return query.length === 0 ? '' : `?${query.join('&')}`;
  });
}

function pairOf({ name, schema }: DescribedParameter): fc.Arbitrary<[string, string]> {
  const rubbish = fc.string({ unit: anyCharacter, maxLength: 20 });
  return fc
    .oneof({ weight: 3, arbitrary: valuesOf(schema, schemas, name) }, rubbish)
    .map((value) => [name, String(value)]);
}

function headersOf(parameters: readonly DescribedParameter[]): fc.Arbitrary<Record<string, string>> {
  const value = fc.oneof(
    fc.constantFrom('*', '"x"', 'W/"x"', '"x", "y"', ''),
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').trim()),
  );
  const accept = fc.constantFrom('*/*', 'application/json', 'text/html', 'application/xml;q=0.1');
  const described = Object.fromEntries(parameters.map(({ name }) => [name, value]));
  return fc.record({ ...described, accept }, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>;
}

type Body = Pick<TestCall, 'json' | 'body' | 'headers'>;

function bodiesOf({ content }: NonNullable<DescribedOperation['requestBody']>): fc.Arbitrary<Body> {
  const schema = content['application/json']?.schema ?? {};
  return fc.oneof(
    { weight: 6, arbitrary: valuesOf(schema, schemas).map(asJson) },
    { weight: 6, arbitrary: inputsOf(schema, schemas).map(asJson) },
    fc.string({ unit: anyCharacter }).map((body) => ({ body })),
    fc.uint8Array().map((bytes) => ({ body: new Uint8Array(bytes) })),
    fc
      .constantFrom('text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1')
      .map((type) => ({ body: '{}', headers: { 'content-type': type } })),
    fc.constant({ body: TOO_LARGE }),
  );
}

function asJson(value: unknown): Body {
  return { body: JSON.stringify(value) };
}

function answerFaults(operation: DescribedOperation, answer: TestAnswer): readonly string[] {
  const { status, document } = answer;
  const described = operation.responses[status];
  if (status >= 500 || described === undefined) return [`${status} ${JSON.stringify(document)}`];
  if (status >= 400) return problemFaults(answer);
  const [media] = Object.entries(described.content ?? {});
  const type = answer.headers.get('content-type');
  if (media === undefined) return type === null ? [] : [`${status} has a body of ${type}`];
  const [name, { schema }] = media;
  const missing = Object.keys(described.headers ?? {}).filter((header) => !answer.headers.has(header));
  return [
    ...(type === name ? [] : [`${status} is ${type}, not ${name}`]),
    ...missing.map((header) => `${status} has no ${header}`),
    // Of a stream the schema is that of what comes on it.
    ...(name === 'text/event-stream' ? [] : schemaFaults(schema, document, schemas)),
  ];
}

function problemFaults({ status, headers, document }: TestAnswer): readonly string[] {
  const type = headers.get('content-type');
  return [
    ...(type === 'application/problem+json' ? [] : [`${status} is ${type}`]),
    ...(document['status'] === status ? [] : [`${status} says ${String(document['status'])}`]),
    ...schemaFaults({ $ref: '#/components/schemas/Problem' }, document, schemas),
  ];
}

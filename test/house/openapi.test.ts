// A lint of the API's description: whoever generates a client or a test from it finds everything there, and
// nothing twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiDescription, describedOperations } from '../support/api-description.ts';
import { KNOWN_KEYWORDS, resolved, schemaFaults, typesOf, type JsonSchema } from '../support/json-schema.ts';

const description = apiDescription();
const { components } = description;
const operations = describedOperations(description);

/** Each schema that the description holds, with where it is. */
function* allSchemas(): Generator<readonly [string, JsonSchema]> {
  for (const [name, schema] of Object.entries(components.schemas)) yield* within(name, schema);
  for (const { operation } of operations) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    for (const { name, schema } of parameters) yield* within(`${operationId} ${name}`, schema);
    for (const { schema } of Object.values(requestBody?.content ?? {}))
      yield* within(`${operationId} body`, schema);
    for (const [status, { content }] of Object.entries(responses))
      for (const { schema } of Object.values(content ?? {}))
        yield* within(`${operationId} ${status}`, schema);
  }
}

function* within(path: string, schema: JsonSchema): Generator<readonly [string, JsonSchema]> {
  yield [path, schema];
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* within(`${path}.${name}`, member);
  const { additionalProperties: values } = schema;
  if (typeof values === 'object') yield* within(`${path}.*`, values);
  if (schema.items !== undefined) yield* within(`${path}[]`, schema.items);
}

/** Values of one kind under names of the caller's own. */
function isMap({ additionalProperties }: JsonSchema): boolean {
  return typeof additionalProperties === 'object';
}

test('openapi: it says what it is (OpenAPI 3.1.0, section 4.8)', () => {
  assert.equal(description.openapi, '3.1.0');
  assert.ok(description.info['title'] && description.info['version'] && description.info['description']);
  assert.deepEqual(Object.keys(components.securitySchemes), ['apiKey', 'session', 'clientCertificate']);
  assert.ok(operations.length > 20);
});

test('openapi: each operation has a name of its own, a summary, and its credentials', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted());
  for (const { operation } of operations) {
    assert.match(operation.operationId, /^[a-z][A-Za-z]+$/);
    assert.match(operation.summary ?? '', /^[A-Z][^.]+$/, operation.operationId);
    const schemes = (operation.security ?? []).flatMap((each) => Object.keys(each));
    assert.ok(schemes.every((each) => Object.hasOwn(components.securitySchemes, each)));
    // Nothing said would mean anybody, too.
    assert.ok(operation.security !== undefined, operation.operationId);
    assert.equal(schemes.length === 0, operation['x-permission'] === 'anyone', operation.operationId);
  }
});

test('openapi: each operation has one tag, which is described, and says what it does', () => {
  const tags = new Map(description.tags.map((tag) => [tag.name, tag.description]));
  const used = new Set<string>();
  for (const { operation } of operations) {
    const { operationId, summary, description: says = '', tags: own = [] } = operation;
    assert.equal(own.length, 1, operationId);
    assert.match(tags.get(own[0] ?? '') ?? '', /^[A-Z].*\.$/, operationId);
    used.add(own[0] ?? '');
    assert.match(says, /^[A-Z].{20,}\.$/s, operationId);
    assert.notEqual(says, summary, operationId);
  }
  assert.deepEqual(
    [...tags.keys()].filter((name) => !used.has(name)),
    [],
  );
});

test('openapi: names, globs and durations that are sent have a pattern, and their examples fit it', () => {
  const named = new Set<string>();
  for (const [path, schema] of allSchemas()) {
    const { pattern, example } = schema as { readonly pattern?: string; readonly example?: unknown };
    if (pattern === undefined) continue;
    named.add(path);
    if (typeof example === 'string') assert.match(example, new RegExp(pattern, 'u'), path);
  }
  const wanted = [
    'NewShare.name',
    'NewShare.oauthCheckInterval',
    'NewShare.oauthEmailAddressPatterns[]',
    'NewShare.clientCertificate.subject',
    'NewShare.clientCertificate.unit',
    'NewApiKey.name',
    'NewApiKey.expiresIn',
    'NewMember.expiresIn',
    'NewAuthProvider.name',
    'NewCertificateRequestToken.validity',
    'NewCertificateRequestToken.expiresIn',
    'NewCertificateRequestToken.renewableFor',
    'CertificatePolicyChanges.commonNamePattern',
    'CertificatePolicyChanges.maxValidity',
    'CertificatePolicyChanges.renewableFor',
    'WebhookRotation.overlap',
  ];
  for (const path of wanted) assert.ok(named.has(path), path);
});

test('openapi: paths and parameters fit together', () => {
  const shapes = Object.keys(description.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  assert.equal(new Set(shapes).size, shapes.length, 'no two paths mean the same');
  for (const { path, operation } of operations) {
    const { operationId, parameters = [] } = operation;
    assert.match(path, /^(?:\/(?:[a-z0-9-]+|\{\w+\}))+$/);
    const declared = parameters.filter((each) => each.in === 'path');
    assert.deepEqual(
      declared.map(({ name }) => name),
      Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name),
      operationId,
    );
    assert.ok(
      declared.every(({ required }) => required === true),
      operationId,
    );
    const named = parameters.map(({ name, in: place }) => `${place} ${name.toLowerCase()}`);
    assert.equal(new Set(named).size, named.length, operationId);
  }
});

test('openapi: what is sent is JSON that names every member that it may have', () => {
  for (const { method, operation } of operations) {
    const { operationId, requestBody } = operation;
    assert.equal(requestBody !== undefined, method === 'POST' || method === 'PATCH', operationId);
    if (requestBody === undefined) continue;
    assert.equal(requestBody.required, true);
    assert.deepEqual(Object.keys(requestBody.content), ['application/json']);
    for (const { schema } of Object.values(requestBody.content))
      for (const [path, each] of within(operationId, resolved(schema, components.schemas)))
        if (typesOf(each).includes('object') && !isMap(each))
          assert.equal(each.additionalProperties, false, path);
  }
});

test('openapi: each answer is described; faults are problem documents, and those of every operation are there', () => {
  const everywhere = ['400', '401', '403', '422', '429', '503'];
  for (const { operation } of operations) {
    const { operationId, requestBody, responses } = operation;
    const statuses = Object.keys(responses);
    assert.ok(
      statuses.some((status) => status.startsWith('2')),
      operationId,
    );
    const expected = [...everywhere, ...(requestBody === undefined ? [] : ['413', '415'])];
    assert.deepEqual(
      expected.filter((status) => !statuses.includes(status)),
      [],
      operationId,
    );
    for (const [status, { description: text, content }] of Object.entries(responses)) {
      assert.match(text, /\S/, `${operationId} ${status}`);
      const media = Object.keys(content ?? {});
      const whole = operationId === 'watchShareRequests' ? 'text/event-stream' : 'application/json';
      const wanted = status === '204' ? [] : [status < '400' ? whole : 'application/problem+json'];
      assert.deepEqual(media, wanted, `${operationId} ${status}`);
      if (status >= '400')
        assert.equal(content?.['application/problem+json']?.schema.$ref, '#/components/schemas/Problem');
    }
  }
});

test('openapi: each schema can be read, and each component is used', () => {
  const used = new Set<string>();
  for (const [path, schema] of allSchemas()) {
    for (const keyword of Object.keys(schema)) assert.ok(KNOWN_KEYWORDS.has(keyword), `${path}: ${keyword}`);
    if (schema.$ref !== undefined) used.add(schema.$ref.split('/').at(-1) ?? '');
    const whole = resolved(schema, components.schemas);
    const types = typesOf(whole);
    assert.ok(types.length > 0, `${path} has no type`);
    for (const name of whole.required ?? []) assert.ok(whole.properties?.[name], `${path} requires ${name}`);
    if (types.includes('array')) assert.ok(whole.items, `${path} has no items`);
    if (types.includes('object') && !isMap(whole)) assert.ok(whole.properties, `${path} has no properties`);
    if (whole.enum !== undefined) assert.equal(new Set(whole.enum).size, whole.enum.length, path);
  }
  assert.deepEqual(
    Object.keys(components.schemas).filter((name) => !used.has(name)),
    [],
  );
});

test('openapi: examples and defaults are values that their schemas take', () => {
  for (const [path, schema] of allSchemas())
    for (const value of [schema.example, schema.default])
      if (value !== undefined) assert.deepEqual(schemaFaults(schema, value, components.schemas), [], path);
});

test('openapi: what comes in is bounded: each text, each list', () => {
  for (const { operation } of operations) {
    const bodies = Object.values(operation.requestBody?.content ?? {});
    // Headers are bounded as a whole.
    const parameters = (operation.parameters ?? []).filter((each) => each.in !== 'header');
    for (const { schema } of [...parameters, ...bodies])
      for (const [path, each] of within(operation.operationId, resolved(schema, components.schemas))) {
        const types = typesOf(each);
        const isOpen = each.enum === undefined && each.format === undefined;
        if (types.includes('string') && isOpen)
          assert.ok(each.maxLength !== undefined, `${path} has no maxLength`);
        if (types.includes('array')) assert.ok(each.maxItems !== undefined, `${path} has no maxItems`);
        if (isMap(each)) assert.ok(each.maxProperties !== undefined, `${path} has no maxProperties`);
      }
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from '@hono/zod-openapi';
import { accessFor, type Needs } from './authorize.ts';
import { operation } from './operation.ts';

const route = {
  method: 'get',
  path: '/v1/things',
  operationId: 'listThings',
  summary: 'List things',
  description: 'Things by name.',
  responses: {
    200: {
      description: 'Things.',
      content: { 'application/json': { schema: z.object({ items: z.array(z.string()) }) } },
    },
  },
} as const;

test('operation() does not compile without saying who may call it, and fails at start when nobody knows what that means', () => {
  // @ts-expect-error: without `needs`.
  assert.throws(() => operation({ route, make: () => (c) => c.json({ items: [] }, 200) }), /Cannot serve/);
  for (const needs of ['things.read', '', 'toString', '__proto__'])
    assert.throws(
      // @ts-expect-error: no permission, and none of the others.
      () => operation({ needs, route, make: () => (c) => c.json({ items: [] }, 200) }),
      /Cannot serve an operation/,
    );
});

test('operation() does not compile with an answer that its route does not describe', () => {
  const made = operation({
    needs: 'shares.read',
    route,
    // @ts-expect-error: a number is no name.
    make: () => (c) => c.json({ items: [1] }, 200),
  });
  assert.equal(made.described.operationId, 'listThings');
});

test('operation() does not compile with a check of its own in the place of the one for who may call', () => {
  operation({
    needs: 'shares.read',
    // @ts-expect-error: a route brings no middleware.
    route: { ...route, middleware: [] },
    make: () => (c) => c.json({ items: [] }, 200),
  });
  operation({
    needs: 'shares.read',
    // @ts-expect-error: nor what is asked for.
    route: { ...route, security: [] },
    make: () => (c) => c.json({ items: [] }, 200),
  });
});

test('operation() is behind the question who calls unless it says that it needs no caller', () => {
  for (const needs of ['shares.read', 'caller.read', 'oneself', 'member'] as const) {
    assert.equal(listThings(needs).isBeforeCaller, false, needs);
    assert.notEqual(accessFor(needs).check, null, needs);
  }
  for (const needs of ['anyone', 'holder'] as const)
    assert.equal(listThings(needs).isBeforeCaller, true, needs);
});

function listThings(needs: Needs) {
  return operation({ needs, route, make: () => (c) => c.json({ items: [] }, 200) });
}

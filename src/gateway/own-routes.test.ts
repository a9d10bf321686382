import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { ownRoute } from './own-routes.ts';

test('ownRoute() knows its two routes, with a query and without (DESIGN 2.3)', () => {
  assert.equal(ownRoute('/.svc/session'), 'session');
  assert.equal(ownRoute('/.svc/session?a=/b'), 'session');
  assert.equal(ownRoute('/.svc/logout?redirect_url=x'), 'logout');
});

test('ownRoute() keeps everything else below /.svc/ from the backend, in every spelling (DESIGN 2.3)', () => {
  const ways = ['/.svc/session', '/.svc/', '/.svc', '/.svc/x'];
  const disguise = fc.constantFrom(
    (path: string) => path.replace('.', '%2e'),
    (path: string) => path.replace('s', '%73'),
    (path: string) => path.replaceAll('/', '//'),
    (path: string) => path.replaceAll('/', '/./'),
    (path: string) => `/x/..${path}`,
    (path: string) => `/a/b/%2E%2e/..${path}`,
    (path: string) => path.replace('/.svc/', '/.svc%2f'),
    (path: string) => path.replace('/.svc/', '/.svc\\'),
    (path: string) => path.replace('/.svc', '/.svc;v=1'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...ways), fc.array(disguise, { maxLength: 3 }), (path, disguises) => {
      const disguised = disguises.reduce((given, change) => change(given), path);
      assert.notEqual(ownRoute(disguised), null, disguised);
    }),
  );
});

test('ownRoute() leaves the rest to the backend', () => {
  for (const target of [
    '/',
    '*',
    '/.svcs/session',
    '/x/.svc/session',
    '/?x=/.svc/session',
    '/.well-known/x',
    '/.SVC/session',
    '/%',
  ])
    assert.equal(ownRoute(target), null, target);
});

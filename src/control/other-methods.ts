// A known path with another method is 405, with those it has (RFC 9110 section 15.5.6). A path that is
// written out goes before one with a name in it: `/things/new` is no thing called `new` (OpenAPI 3.1.0
// section 4.8.8).

import { ServiceError } from '../domain/service-error.ts';
import type { ControlApi } from './control-deps.ts';

export type OtherMethods = {
  /** For what a path with a name in it would take instead. Throws `method_not_allowed`. */
  readonly refuseNamed: (request: { readonly method: string; readonly path: string }) => void;
  /** To be called after every operation was added: answers what none of them took. */
  readonly refuseRest: () => void;
};

export function createOtherMethods(api: ControlApi): OtherMethods {
  /** By path, without those that have a name in them. */
  const whole = new Map<string, Set<string>>();
  return {
    refuseNamed: ({ method, path }) => {
      const methods = whole.get(path);
      if (methods !== undefined && !withHead(methods).has(method)) throw notAllowed(methods);
    },
    refuseRest: () => {
      const operations = operationsOf(api);
      for (const { method, path } of operations)
        if (!path.includes(':')) whole.set(path, (whole.get(path) ?? new Set()).add(method));
      for (const path of new Set(operations.map((operation) => operation.path)))
        api.all(path, (c) => {
          const here = operations.filter(({ pattern }) => pattern.test(c.req.path));
          throw notAllowed(whole.get(c.req.path) ?? new Set(here.map(({ method }) => method)));
        });
    },
  };
}

function operationsOf(api: ControlApi) {
  return api.routes
    .filter(({ method, path }) => method !== 'ALL' && path !== '/*')
    .map(({ method, path }) => ({
      method,
      path,
      pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
    }));
}

function withHead(methods: ReadonlySet<string>): ReadonlySet<string> {
  return methods.has('GET') ? new Set([...methods, 'HEAD']) : methods;
}

function notAllowed(methods: ReadonlySet<string>): ServiceError {
  const allow = [...withHead(methods)].toSorted().join(', ');
  return new ServiceError('method_not_allowed', `Cannot answer that method: the resource allows ${allow}`, {
    extra: { allow },
  });
}

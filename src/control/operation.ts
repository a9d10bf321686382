// One operation of the control API, as its file writes it: who may call it, what it takes and answers, and
// what it does. `operations.ts` has all of them in a row, and whatever serves or describes them walks that.

import type { RouteConfig, RouteHandler } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { accessFor, type Needs } from './authorize.ts';
import type { ControlApi, ControlEnv } from './control-deps.ts';
import { checkJsonBody } from './json-body.ts';
import { readLongBody, takesLongBody } from './long-body.ts';
import type { OperationDeps } from './operation-deps.ts';

export type Operation = {
  /** Whether it needs no caller: it stands before the question who calls. */
  readonly isBeforeCaller: boolean;
  /** As the API's description tells it, but for its section. */
  readonly described: RouteConfig;
  readonly addTo: (api: ControlApi, deps: OperationDeps) => void;
};

/** What an operation takes and answers. */
type OperationRoute<Path extends string> = Pick<RouteConfig, 'parameters' | 'request' | 'responses'> & {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: Path;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
};

/** Nothing in a route can take the place of the check that `needs` stands for. */
type Unchecked = {
  readonly security?: never;
  readonly middleware?: never;
  readonly 'x-permission'?: never;
};

type Written<Route extends RouteConfig> = {
  readonly needs: Needs;
  readonly route: Route & Unchecked;
  /** Called once, when the API is made: what the operation counts or keeps in memory is made there. */
  readonly make: (deps: OperationDeps) => RouteHandler<Route, ControlEnv>;
};

/**
 * Throws for `needs` that nobody knows: no service starts with an operation that anybody could call by
 * mistake.
 */
export function operation<Path extends string, Route extends OperationRoute<Path>>({
  needs,
  route,
  make,
}: Written<Route>): Operation {
  const { security, check } = accessFor(needs);
  const { method, path, operationId, summary, description, ...rest }: OperationRoute<Path> = route;
  return {
    isBeforeCaller: check === null,
    described: { method, path, operationId, summary, description, security, 'x-permission': needs, ...rest },
    addTo: (api, deps) => {
      const middleware =
        check === null ? requireJson : takesLongBody(method, path) ? [check, readLongBody(deps)] : check;
      api.openapi({ ...route, security, 'x-permission': needs, middleware }, make(deps));
    },
  };
}

/** Where it is asked who calls, bodies are looked at after that. */
const requireJson: MiddlewareHandler<ControlEnv> = async (c, next) => {
  await checkJsonBody(c);
  await next();
};

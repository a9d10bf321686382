// The control API under `/v1` (DESIGN 2.5): who calls, what may be sent, what goes wrong. What each call does
// is in the folder of its thing, one file each. It answers JSON and problem documents, and nothing is ever
// cached.

import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import { asServiceError, ServiceError } from '../domain/service-error.ts';
import { problemAnswer } from '../http/problem.ts';
import { responseOf } from './answer-response.ts';
import { addConsoleApp } from './console-app/routes.ts';
import { addConsoleRoutes } from './console/routes.ts';
import { addDeviceRoutes } from './device-login/routes.ts';
import type { ControlApi, ControlDeps, ControlEnv } from './control-deps.ts';
import { inputRefused, schemaFaults } from './input-fault.ts';
import { checkJsonBody } from './json-body.ts';
import { openApiDocument } from './openapi.ts';
import { addPkiFiles } from './certificates/pki-files.ts';
import { createOtherMethods } from './other-methods.ts';
import { addReferencePage } from './reference/reference-page.ts';
import { addRedeemPage } from './redeem-page/routes.ts';
import { limitCalls } from './call-limits.ts';
import { takesLongBody } from './long-body.ts';
import { operationDeps } from './operation-deps.ts';
import { OPERATIONS } from './operations.ts';

/** `fetch(request, { address, requestId })` answers one call; `controlHandler()` puts it behind node:http. */
export function createControlApi(deps: ControlDeps): ControlApi {
  const api: ControlApi = new OpenAPIHono<ControlEnv>({
    defaultHook: (result) => {
      if (!result.success) throw inputRefused(schemaFaults(result.error.issues));
    },
  });
  api.onError((error, c) => problem(error, c, deps));
  api.notFound((c) => {
    throw new ServiceError('not_found', `Cannot find ${c.req.path}: there is no such resource`);
  });
  const shared = operationDeps(deps);
  addPkiFiles(api, deps, shared.listOf);
  api.use(async (c, next) => {
    await next();
    if (c.res.headers.get('cache-control') === null) c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
    // No page of another site, of a sibling share either, may load an answer as a script, an image or a
    // frame's part.
    c.header('cross-origin-resource-policy', 'same-origin');
    c.header('x-request-id', c.env.requestId);
  });
  // Made when somebody asks: to describe everything takes a tenth of the time that the service may take to
  // start.
  let description: object | null = null;
  const described = () => (description ??= openApiDocument());
  let text: string | null = null;
  api.get('/openapi.json', (c) =>
    c.body((text ??= JSON.stringify(described())), 200, { 'content-type': 'application/json' }),
  );
  addReferencePage(api, described);
  addConsoleRoutes(api, shared);
  addDeviceRoutes(api, shared);
  addRedeemPage(api, deps);
  addConsoleApp(api, deps);
  const otherMethods = createOtherMethods(api);
  const operations = OPERATIONS.flatMap((group) => group.operations);
  const { before = [], behind = [] } = Object.groupBy(operations, ({ isBeforeCaller }) =>
    isBeforeCaller ? 'before' : 'behind',
  );
  for (const operation of before) operation.addTo(api, shared);
  api.use('/v1/*', async (c, next) => {
    c.set('authenticated', await shared.callerNow(c));
    otherMethods.refuseNamed(c.req);
    // Of a path that is not there, or without that method, no body is looked at.
    const isThere = matchedRoutes(c).some(({ method }) => method === c.req.method);
    // A long one is the operation's to read.
    if (isThere && !takesLongBody(c.req.method, c.req.path)) await checkJsonBody(c);
    await next();
  });
  api.use('/v1/*', limitCalls(shared));
  for (const operation of behind) operation.addTo(api, shared);
  otherMethods.refuseRest();
  return api;
}

function problem(error: unknown, c: Context<ControlEnv>, { log }: ControlDeps): Response {
  const { requestId } = c.env;
  const fault = asServiceError(error, 'Cannot answer the call');
  if (fault.fault.status >= 500)
    log.error({ err: fault, requestId, method: c.req.method, path: c.req.path }, 'Cannot answer a call');
  return responseOf(problemAnswer(fault, requestId));
}

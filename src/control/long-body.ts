// Long bodies: read where the caller may make the call, in the account's turn, and so much of them a minute.
// To read one takes the thread for as long as many calls together.

import type { MiddlewareHandler } from 'hono';
import { type CallBudget, createCallBudget } from './call-budget.ts';
import { isAdminOf } from './call-limits.ts';
import type { ControlEnv } from './control-deps.ts';
import { bodyLimit, checkJsonBody, MAX_BODY_BYTES } from './json-body.ts';
import type { OperationDeps } from './operation-deps.ts';

/** Whether an operation takes one. */
export function takesLongBody(method: string, path: string): boolean {
  return bodyLimit(method.toUpperCase(), path) > MAX_BODY_BYTES;
}

/** Behind the check who may call. Throws `rate_limited`, with the body unparsed. */
export function readLongBody({ now }: Pick<OperationDeps, 'now'>): MiddlewareHandler<ControlEnv> {
  const count = createLongBodyBudget(now);
  return async (c, next) => {
    const { accountId } = c.get('caller');
    const isAdmin = isAdminOf(c.get('authenticated'));
    await checkJsonBody(c, (bytes) => {
      if (bytes <= MAX_BODY_BYTES) return;
      count(accountId, isAdmin);
      count.charge(accountId, Math.ceil(bytes / MAX_BODY_BYTES) - 1);
    });
    await next();
  };
}

function createLongBodyBudget(now: () => number): CallBudget {
  return createCallBudget(now, {
    perMinute: () => PARTS_PER_MINUTE,
    of: 'long calls',
    hint: 'Send less in a minute, or split the state into smaller ones.',
  });
}

/** Of 64 KiB: 20 MiB, five of the longest states. The last one may go beyond it. */
const PARTS_PER_MINUTE = 320;

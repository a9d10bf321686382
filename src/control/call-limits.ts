// What keeps one account from taking the control API from the others: its own queue, and its own budget of
// changes.

import type { MiddlewareHandler } from 'hono';
import { createCallQueue } from './call-queue.ts';
import type { Authenticated, ControlEnv, Me } from './control-deps.ts';
import type { OperationDeps } from './operation-deps.ts';

/**
 * After it is known who calls, before anything is looked at. The answer to a watch is there when the watch
 * begins.
 */
export function limitCalls({
  settings,
  countChange,
}: Pick<OperationDeps, 'settings' | 'countChange'>): MiddlewareHandler<ControlEnv> {
  const queue = createCallQueue(() => settings().limits);
  return async (c, next) => {
    const authenticated = c.get('authenticated');
    const payer = payerOf(authenticated);
    const isAdmin = isAdminOf(authenticated);
    if (!READS.has(c.req.method)) countChange(payer, isAdmin);
    const leave = await queue.enter(payer, isAdmin, c.env.left);
    try {
      await next();
    } finally {
      leave();
    }
  };
}

/** The account, or the person who looks after their own things. */
function payerOf({ caller, me }: Authenticated): string {
  if (caller !== null) return caller.accountId;
  return me === null ? 'nobody' : personPayer(me);
}

/**
 * Those whom an account's own provider names count together: the account can make up as many as it likes.
 */
export function personPayer({ within, person }: Me): string {
  return within === null ? `person ${person.provider} ${person.subject}` : `persons of ${within}`;
}

/** Of what they pay for: an account's admin, with all that one may, or a person of their own things. */
export function isAdminOf({ caller }: Authenticated): boolean {
  return caller === null || (caller.role === 'admin' && caller.scope === 'full');
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

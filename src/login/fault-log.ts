// Faults in the log: messages and codes only. An error's other properties may hold what a provider answered,
// tokens too.

import type { FaultCode, ServiceError } from '../domain/service-error.ts';
import type { LoginLog } from './login-deps.ts';

/** What did not work, as the log names it. */
export type FaultyAct = 'login' | 'logout' | 'session check';

/** A visitor's own slip is not worth a line; what the operator may have to look at is. */
export function logFault(
  log: LoginLog,
  { act, ...about }: Readonly<Record<string, unknown>> & { readonly act: FaultyAct },
  error: ServiceError,
): void {
  if (error.fault.status < 500 && !OF_THE_PROVIDER.has(error.code)) return;
  const fields = { ...about, code: error.code, cause: messagesOf(error) };
  if (error.code !== 'internal') return log.warn(fields, `${act} failed`);
  const stack = error.cause instanceof Error ? error.cause.stack : error.stack;
  log.error({ ...fields, stack }, `${act} failed unexpectedly`);
}

/** Who is turned away by the provider itself asks the operator why. */
const OF_THE_PROVIDER: ReadonlySet<FaultCode> = new Set(['account_unverified']);

/** The messages of an error and its causes, outermost first. */
export function messagesOf(error: unknown): readonly string[] {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < MAX_CAUSES; cause = cause.cause)
    messages.push(cause.message);
  return messages;
}

/** Deeper chains say nothing new, and may be circular. */
const MAX_CAUSES = 5;

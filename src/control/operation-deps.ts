// What operations and pages of one control API share beside what the service gives it: limits that count over
// several of them, and what is read once for all.

import type { Context } from 'hono';
import { createRevocationLists } from '../pki/revocation-list.ts';
import type { ListOf } from './certificates/pki-files.ts';
import { type CallBudget, createCallBudget } from './call-budget.ts';
import { type CertificateTries, createCertificateTries } from './certificates/tries.ts';
import type { Authenticated, ControlDeps, ControlEnv } from './control-deps.ts';
import { createDeviceLimits, type DeviceLimits } from './device-login/limits.ts';
import { createFailedKeys, type FailedKeys } from '../domain/failed-keys.ts';
import { createVerificationLimit, type VerificationLimit } from './hosts/verification-limit.ts';
import { whoCalls } from './who-calls.ts';

export type OperationDeps = ControlDeps & {
  readonly failedKeys: FailedKeys;
  /** Of each account: a call that is no mere read is one change, unless it makes more. */
  readonly countChange: CallBudget;
  /** Who calls, asked once more by what answers for long. Throws as `whoCalls()`. */
  readonly callerNow: (c: Context<ControlEnv>) => Promise<Authenticated>;
  readonly deviceLimits: DeviceLimits;
  readonly verificationLimit: VerificationLimit;
  readonly tries: CertificateTries;
  readonly listOf: ListOf;
};

export function operationDeps(deps: ControlDeps): OperationDeps {
  const failedKeys = createFailedKeys(deps.now);
  return {
    ...deps,
    failedKeys,
    countChange: createCallBudget(deps.now, {
      perMinute: () => deps.settings().limits.writesPerMinute,
      of: 'changes',
      hint: 'Make fewer changes per minute. The operator can raise limits.writes_per_minute.',
    }),
    callerNow: (c) => whoCalls({ ...deps, failedKeys }, c),
    deviceLimits: createDeviceLimits(deps.now),
    verificationLimit: createVerificationLimit(deps.now),
    tries: createCertificateTries(deps.now),
    listOf: createRevocationLists(deps),
  };
}

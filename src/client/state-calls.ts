// Calls about an account's state as a whole.

import type { AccountState, ApplyAnswer, ApplyInput } from '../wire/state.ts';
import type { Call } from './call.ts';

export type StateCalls = {
  readonly show: () => Promise<AccountState>;
  /** Throws `precondition_failed` when `plan` is no more, and `validation_failed` with every fault. */
  readonly apply: (input: ApplyInput) => Promise<ApplyAnswer>;
};

export function stateCalls(call: Call): StateCalls {
  return {
    show: async () => call('GET', '/v1/state'),
    apply: async (input) => call('POST', '/v1/apply', input),
  };
}

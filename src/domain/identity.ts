// Who a visitor is, as a provider says it.

import type { ServiceError } from './service-error.ts';
import type { SessionFacts } from './session-facts.ts';

/** A person at a provider. `subject` never changes there; `email` may. */
export type Identity = {
  /** The provider's name (contract 2.2 `name`). */
  readonly provider: string;
  /** The provider's stable identifier of the person (`sub`, or GitHub's numeric id). */
  readonly subject: string;
  /** A usable address: see `email-address.ts`. */
  readonly email: string;
  /** Whether the provider says that the address is verified. Absent: it says nothing. */
  readonly emailVerified?: boolean;
  /** What else it says. Absent: nothing. */
  readonly facts?: SessionFacts;
  /**
   * Why the groups cannot be told, though they were asked for: then none are known. A login ends with it, a
   * check goes on.
   */
  readonly groupsFault?: ServiceError;
};

// What a plan was thought out for is not there any more: nothing of the plan is made.

import { ServiceError } from '../../domain/service-error.ts';

/** `thing` as `the account` or `share wiki`. */
export function changedMeanwhile(thing: string): ServiceError {
  return new ServiceError(
    'precondition_failed',
    `Cannot apply the state: someone else changed ${thing} after the plan was made`,
    { hint: 'Nothing was changed. Apply again to see the new plan.' },
  );
}

// Calls about a person by their email address: what they hold, and the end of all of it.

import type { EndAccessInput, EndedAccessObject, PersonObject } from '../wire/person.ts';
import { type Call, searchQuery } from './call.ts';

export type PersonCalls = {
  readonly show: (email: string) => Promise<PersonObject>;
  /** Throws `last_admin`, and then nothing has ended. */
  readonly endAccess: (input: EndAccessInput) => Promise<EndedAccessObject>;
};

export function personCalls(call: Call): PersonCalls {
  return {
    show: async (email) => call('GET', `/v1/people/person?${searchQuery({ email })}`),
    endAccess: async (input) => call('POST', '/v1/people/end-access', input),
  };
}

// GET /v1/people/person: what somebody holds in the account, by the email address.

import type { Holdings } from '../../store/people/person.ts';
import type { PersonObject } from '../../wire/person.ts';
import { accessRequestObject } from '../access/schema.ts';
import { problems } from '../answers.ts';
import { createCallBudget } from '../call-budget.ts';
import { tokenObject } from '../certificates/view.ts';
import { operation } from '../operation.ts';
import { type ShareNames, shareNamesOf } from '../tokens/share-names.ts';
import { apiKeyObject } from './api-key-schema.ts';
import { memberObject } from './member-schema.ts';
import { personQuerySchema, personSchema, requireAddress } from './person-schema.ts';

export const showPerson = operation({
  needs: 'people.read',
  route: {
    method: 'get',
    path: '/v1/people/person',
    operationId: 'showPerson',
    summary: 'Show what a person holds',
    description:
      'Counts the active sessions, certificates, certificate request tokens, API keys and service tokens of a person, and lists those that no other operation lists by person. Someone unknown holds nothing.',
    request: { query: personQuerySchema },
    responses: {
      200: {
        description: 'What the person holds now.',
        content: { 'application/json': { schema: personSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => {
    const countLook = createCallBudget(deps.now, {
      perMinute: () => LOOKS_PER_MINUTE,
      of: 'looks at people',
      hint: 'Read fewer people per minute.',
    });
    return async (c) => {
      const { accountId } = c.get('caller');
      const email = requireAddress(c.req.valid('query').email);
      countLook(accountId);
      const held = await deps.store.persons.holdings({ accountId, email }, deps.now());
      const shares = held.accessRequests.map(({ shareId }) => ({ shareIds: [shareId] }));
      const names = await shareNamesOf(deps.store.shares, shares);
      return c.json(personSchema.parse(personObject(held, names)), 200);
    };
  },
});

function personObject(held: Holdings, names: ShareNames): PersonObject {
  const { member, requestTokens, apiKeys, accessRequests, ...counted } = held;
  return {
    member: member === null ? null : memberObject(member),
    counts: { ...counted, requestTokens: requestTokens.length, apiKeys: apiKeys.length },
    requestTokens: requestTokens.slice(0, MOST_LISTED).map(tokenObject),
    apiKeys: apiKeys.slice(0, MOST_LISTED).map(apiKeyObject),
    accessRequests: accessRequests.map((each) => accessRequestObject(each, names)),
  };
}

/** A person turns pages. */
const LOOKS_PER_MINUTE = 60;
/** More are told by their number. */
const MOST_LISTED = 100;

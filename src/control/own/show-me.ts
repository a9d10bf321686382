// GET /v1/me: who this browser's person is, for the page of their own things.

import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { timeText } from '../time-text.ts';
import { meSchema } from './schema.ts';

export const showMe = operation({
  needs: 'oneself',
  route: {
    method: 'get',
    path: '/v1/me',
    operationId: 'showMe',
    summary: 'Show who is logged in',
    description: 'Shows the person who logged in with an identity provider, member or not.',
    responses: {
      200: { description: 'The person.', content: { 'application/json': { schema: meSchema } } },
      ...problems(),
    },
  },
  make: (deps) => (c) => {
    const { person, expiresAt } = c.get('me');
    const { email, provider, emailVerified } = person;
    const shown = {
      email,
      provider,
      providerDisplayName: deps.settings().displayNameOf(provider),
      emailVerified,
      expiresAt: timeText(expiresAt),
    };
    return c.json(meSchema.parse(shown), 200);
  },
});

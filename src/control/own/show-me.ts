// GET /v1/me: who this browser's person is, for the page of their own things.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { problems } from '../answers.ts';
import { forOneself } from '../authorize.ts';
import type { ControlEnv } from '../control-deps.ts';
import { meSchema } from './schema.ts';

export const showMeRoute = createRoute({
  method: 'get',
  path: '/v1/me',
  operationId: 'showMe',
  summary: 'Show who is logged in',
  description: 'For whoever logged in at the control plane with an identity provider, member or not.',
  ...forOneself(),
  responses: {
    200: { description: 'The person.', content: { 'application/json': { schema: meSchema } } },
    ...problems(),
  },
});

export function showMe(): RouteHandler<typeof showMeRoute, ControlEnv> {
  return (c) => {
    const { person, expiresAt } = c.get('me');
    const { email, provider, emailVerified } = person;
    const shown = { email, provider, emailVerified, expiresAt: new Date(expiresAt).toISOString() };
    return c.json(meSchema.parse(shown), 200);
  };
}

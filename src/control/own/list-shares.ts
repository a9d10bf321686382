// GET /v1/me/shares: the apps that a person may open, by the gate's own evaluator. Only accounts in which
// they have something to do are looked at, and of these only what lets them in is told: not that anything
// else is there.

import { z } from '@hono/zod-openapi';
import type { OwnSharePage } from '../../wire/own.ts';
import { problems } from '../answers.ts';
import type { Seal } from '../../login/seal.ts';
import { createCallBudget } from '../call-budget.ts';
import { personPayer } from '../call-limits.ts';
import { unknownCursor } from '../cursor.ts';
import { operation } from '../operation.ts';
import { createAppsWork } from './apps-work.ts';
import { type AppsPlace, openableApps, openedBy } from './openable-apps.ts';
import { ownSharePageSchema, ownSharesQuerySchema } from './schema.ts';

export const listOwnShares = operation({
  needs: 'oneself',
  route: {
    method: 'get',
    path: '/v1/me/shares',
    operationId: 'listOwnShares',
    summary: 'List the apps that you may open',
    description:
      'Lists the shares that would let you in from here, in the accounts where you are a member or have a session or a certificate. Shares that are not `listed` are left out.',
    request: { query: ownSharesQuerySchema },
    responses: {
      200: {
        description:
          'A page of shares. It can have few or no shares and still a `nextCursor`. Shares of an account are left out while people list them too often.',
        content: { 'application/json': { schema: ownSharePageSchema } },
      },
      ...problems(),
    },
  },
  make: (deps) => {
    const said = { of: 'lists of apps', hint: 'Read fewer pages per minute.' };
    const countPage = createCallBudget(deps.now, { ...said, perMinute: () => PAGES_PER_MINUTE });
    const countOfAll = createCallBudget(deps.now, { ...said, perMinute: () => PAGES_OF_ALL_PER_MINUTE });
    const workOf = createAppsWork(deps.now);
    return async (c) => {
      const me = c.get('me');
      const { limit, q = '', cursor } = c.req.valid('query');
      const { seal } = deps.settings().console;
      const place = readPlace(seal, cursor);
      countPage(`${me.person.provider} ${me.person.subject}`);
      countOfAll(personPayer(me));
      const person = await openedBy(deps, me);
      const { apps, next } = await openableApps(deps, person, { place, limit, text: q, work: workOf(me) });
      const page: OwnSharePage = { items: apps, nextCursor: next === null ? null : placeText(seal, next) };
      return c.json(ownSharePageSchema.parse(page), 200);
    };
  },
});

/** Sealed: the page may have ended at a share that nobody tells this person of. */
function placeText(seal: Seal, { account, after }: AppsPlace): string {
  return seal.seal('apps-place', Buffer.from(JSON.stringify([account, after])));
}

/** Throws `validation_failed`. */
function readPlace(seal: Seal, cursor: string | undefined): AppsPlace {
  if (cursor === undefined) return FIRST_PLACE;
  const opened = seal.open('apps-place', cursor);
  if (opened === null) throw unknownCursor();
  const [account, after] = placeSchema.parse(JSON.parse(Buffer.from(opened).toString()));
  return { account, after };
}

/** What is sealed was written above. */
const placeSchema = z.tuple([z.string(), z.string().nullable()]);
const FIRST_PLACE: AppsPlace = { account: '', after: null };
/** Whoever types what to look for asks at each pause. */
const PAGES_PER_MINUTE = 120;
/** Of those together whom an account's own provider names: no one of them takes all. */
const PAGES_OF_ALL_PER_MINUTE = 600;

// DELETE /v1/sessions?email=…|share=…|provider=…: ends all of a person, a share or a provider, in one
// transaction; or some at a time those of a share that its rules no longer let in.

import { z } from '@hono/zod-openapi';
import type { EndedSessions } from '../../wire/session.ts';
import type { AccountId, ShareId } from '../../domain/id.ts';
import type { SessionChoice } from '../../store/sessions/choice.ts';
import type { ShareTable } from '../../store/shares/share.ts';
import { problems } from '../answers.ts';
import { createCallBudget } from '../call-budget.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { endSessions } from './ending.ts';
import { everyRefused } from './refused.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { findShare, shareIdNamed } from '../shares/find.ts';

const text = z.string().min(1).max(300);

const groupQuerySchema = z.strictObject({
  email: text
    .optional()
    .openapi({ description: 'Ends all sessions of this email address, in upper or lower case.' }),
  share: text.optional().openapi({ description: 'Ends all sessions of this share, by name or id.' }),
  provider: text.optional().openapi({ description: 'Ends all sessions of this provider.' }),
  admission: z.enum(['refused']).optional().openapi({
    description: 'With `share`: ends only the sessions that its rules no longer let in.',
  }),
});

export const endedSessionsSchema = z
  .object({ ended: z.number().int().openapi({ description: 'How many active sessions ended.' }) })
  .openapi('EndedSessions') satisfies z.ZodType<EndedSessions>;

export const endSessionsOf = operation({
  needs: 'sessions.end',
  route: {
    method: 'delete',
    path: '/v1/sessions',
    operationId: 'endSessionsOf',
    summary: 'End all sessions of a person, a share or a provider',
    description: 'Ends the sessions at shares of the account. Requires exactly one of the three parameters.',
    request: { query: groupQuerySchema },
    responses: {
      200: {
        description: 'The sessions ended.',
        content: { 'application/json': { schema: endedSessionsSchema } },
      },
      ...problems('share_unknown'),
    },
  },
  make: (deps) => {
    const countJudged = createCallBudget(deps.now, {
      perMinute: () => JUDGED_PER_MINUTE,
      of: 'calls that end refused sessions',
      hint: 'Wait, and call once when all rules are changed.',
    });
    return async (c) => {
      const caller = c.get('caller');
      const query = c.req.valid('query');
      const choice = await choiceOf(deps.store.shares, caller.accountId, query);
      if (query.admission === undefined)
        return c.json({ ended: await endSessions(deps, caller, choice) }, 200);
      const shareId = await shareAlone(deps, caller, query);
      countJudged(caller.accountId);
      return c.json({ ended: await endRefused(deps, caller, shareId) }, 200);
    };
  },
});

async function shareAlone({ store }: ControlDeps, caller: Caller, { share }: GroupQuery): Promise<ShareId> {
  if (share === undefined) throw inputRefused([{ path: 'admission', message: 'give it with share' }]);
  return (await findShare(store.shares, caller.accountId, share)).id;
}

async function endRefused(deps: ControlDeps, caller: Caller, shareId: ShareId): Promise<number> {
  let ended = 0;
  for await (const ids of everyRefused(deps, shareId))
    ended += await endSessions(deps, caller, { by: 'ids', ids });
  return ended;
}

/** Each looks at all sessions of a share. */
const JUDGED_PER_MINUTE = 12;

type GroupQuery = z.infer<typeof groupQuerySchema>;

/** Nothing at all must not mean everything. */
async function choiceOf(shares: ShareTable, accountId: AccountId, query: GroupQuery): Promise<SessionChoice> {
  const { email, share, provider } = query;
  const given = [email, share, provider].filter((value) => value !== undefined);
  if (given.length === 1) {
    if (email !== undefined) return { by: 'email', email };
    if (provider !== undefined) return { by: 'provider', providerName: provider };
    if (share !== undefined) return { by: 'share', shareId: await shareIdNamed(shares, accountId, share) };
  }
  throw inputRefused([{ path: '', message: 'give exactly one of email, share and provider' }]);
}

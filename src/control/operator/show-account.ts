// GET /v1/operator/accounts/{account}: one account in figures, with all limits.

import { z } from '@hono/zod-openapi';
import { ServiceError } from '../../domain/service-error.ts';
import type { Account, AccountTable } from '../../store/people/account.ts';
import type { OperatedAccountDetail } from '../../wire/operator.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { accountDetailSchema } from './schema.ts';
import { accountObject } from './view.ts';

export const showOperatedAccount = operation({
  needs: 'operator',
  route: {
    method: 'get',
    path: '/v1/operator/accounts/{account}',
    operationId: 'showOperatedAccount',
    summary: 'Show an account to operators',
    description:
      'Shows how much of each limit an account uses, and how many sessions and certificates it has.',
    request: {
      params: z.object({
        account: z.string().max(300).openapi({ description: 'A name or an id.', example: 'acme' }),
      }),
    },
    responses: {
      200: {
        description: 'The account.',
        content: { 'application/json': { schema: accountDetailSchema } },
      },
      ...problems('account_unknown'),
    },
  },
  make:
    ({ store, settings, now }) =>
    async (c) => {
      const account = await findAccount(store.accounts, c.req.valid('param').account);
      const { accounts, activity, sessions, certificates } = store;
      const { limits, ...about } = await accountObject({ accounts, activity }, account, settings().limits);
      const { living } = await certificates.count(account.id, { now: now(), soon: now() });
      const shown: OperatedAccountDetail = {
        ...about,
        limits: limits.map(({ limit, used, allowed }) => ({
          limit,
          used: limit === 'certificates' ? living : used,
          allowed,
        })),
        sessions: { active: await sessions.countActive(account.id) },
      };
      return c.json(accountDetailSchema.parse(shown), 200);
    },
});

/** Throws `account_unknown`. */
async function findAccount(accounts: AccountTable, named: string): Promise<Account> {
  // No name has the underline that each id has.
  const found = isId(named) ? await accounts.find(named) : await accounts.findByName(named);
  if (found !== null) return found;
  throw new ServiceError('account_unknown', `Cannot find account "${named}": no account has that name or id`);
}

function isId(named: string): named is Account['id'] {
  return named.startsWith('acc_');
}

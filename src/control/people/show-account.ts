// GET /v1/account: the caller's own account.

import { ServiceError } from '../../domain/service-error.ts';
import { problems } from '../answers.ts';
import { operation } from '../operation.ts';
import { timeText } from '../time-text.ts';
import { accountSchema } from './member-schema.ts';

export const showAccount = operation({
  needs: 'account.read',
  route: {
    method: 'get',
    path: '/v1/account',
    operationId: 'showAccount',
    summary: 'Show the account',
    description: 'Shows the account of the caller.',
    responses: {
      200: { description: 'The account.', content: { 'application/json': { schema: accountSchema } } },
      ...problems('account_unknown'),
    },
  },
  make:
    ({ store }) =>
    async (c) => {
      const account = await store.accounts.find(c.get('caller').accountId);
      if (account === null)
        throw new ServiceError('account_unknown', 'Cannot show the account: it was deleted');
      const { id, name, createdAt } = account;
      return c.json(accountSchema.parse({ id, name, createdAt: timeText(createdAt) }), 200);
    },
});

// A second key that can do everything, so that the first one may be deleted: the last one may not.

import { newId, type AccountId } from '../../src/domain/id.ts';
import type { Store } from '../../src/store/store.ts';

export async function addSpareKey(store: Pick<Store, 'apiKeys'>, accountId: AccountId): Promise<void> {
  const limits = { role: 'admin', scope: 'full', expiresAt: null, createdBy: null, memberId: null } as const;
  const id = newId('key');
  await store.apiKeys.create({ id, accountId, name: 'spare', hash: id, createdAt: 0, ...limits }, null);
}

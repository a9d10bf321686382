// Whether an account is active, in one word.

import type { OperatedAccount } from '../../../src/wire/operator.ts';
import { Badge } from '../parts/badge.tsx';

export function AccountState({ state }: Pick<OperatedAccount, 'state'>) {
  return <Badge good={state === 'active'}>{state}</Badge>;
}

// What came of what happened, in one word.

import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { Badge } from '../parts/badge.tsx';

export function ResultBadge({ result }: Pick<AuditEventObject, 'result'>) {
  if (result === 'done') return 'Done';
  return <Badge tone={result === 'refused' ? 'warn' : 'bad'}>{RESULT_TITLES[result]}</Badge>;
}

export const RESULT_TITLES = { done: 'Done', refused: 'Refused', failed: 'Failed' } as const;

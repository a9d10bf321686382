// Which areas a person sees. The API decides what they may do; this spares them pages that would only refuse
// them.

import type { ConsoleSession } from '../api/client.ts';
import { type Area, AREAS } from './pages.tsx';

export function seenAreas({
  kind,
  member,
  may,
}: Pick<ConsoleSession, 'kind' | 'member' | 'may'>): readonly Area[] {
  return AREAS.filter(({ seenBy }) => {
    if (seenBy === 'operators') return may.includes('operator');
    if (seenBy === 'persons') return kind !== 'key';
    if (kind === 'visitor') return false;
    return seenBy === 'members' || member.role === 'admin' || member.role === 'auditor';
  });
}

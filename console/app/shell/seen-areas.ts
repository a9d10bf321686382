// Which areas a person sees. The API decides what they may do; this spares them pages that would only refuse them.

import type { ConsoleSession } from '../api/client.ts';
import { type Area, AREAS } from './pages.tsx';

export function seenAreas({ member }: Pick<ConsoleSession, 'member'>): readonly Area[] {
  return AREAS.filter(({ seenBy }) => seenBy !== 'admins' || member.role === 'admin');
}

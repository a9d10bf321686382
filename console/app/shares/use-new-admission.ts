// Who gets in at a share that is being made. It begins with a login: nothing is open to everyone unless
// somebody chose that.

import { useState } from 'react';
import { NEW_DRAFT, type SettingsDraft } from './settings-draft.ts';
import { mostUsed } from '../parts/provider-titles.ts';
import { useProviderTitles } from '../parts/use-providers.ts';

export function useNewAdmission(): readonly [SettingsDraft, (changes: Partial<SettingsDraft>) => void] {
  const first = mostUsed(useProviderTitles().titles);
  // Null until something was chosen.
  const [chosen, choose] = useState<SettingsDraft | null>(null);
  const draft = chosen ?? { ...NEW_DRAFT, oauthProvider: first };
  return [draft, (changes) => choose({ ...draft, ...changes })];
}

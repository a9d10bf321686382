// Who gets in at a share that is being made. It begins with a login: nothing is open to everyone unless somebody chose that.

import { useState } from 'react';
import { type Admission, NEW_ADMISSION } from './admission.ts';
import { useProviders } from './use-providers.ts';

export function useNewAdmission(): readonly [Admission, (changes: Partial<Admission>) => void] {
  const [first = ''] = useProviders();
  // Null until something was chosen.
  const [chosen, choose] = useState<Admission | null>(null);
  const admission = chosen ?? { ...NEW_ADMISSION, provider: first };
  return [admission, (changes) => choose({ ...admission, ...changes })];
}

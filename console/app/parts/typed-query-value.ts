// A value of the query that somebody types: the address has it when typing has paused.

import { useEffect, useState } from 'react';
import { useQueryValue } from '../router.tsx';

/** What the field shows, and what is called as it is typed. */
export function useTypedQueryValue(name: string): readonly [string, (text: string) => void] {
  const [value, setValue] = useQueryValue(name);
  // Null once the address has it: then the address decides what is in the field, whoever changes it.
  const [typed, type] = useState<string | null>(null);
  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(() => {
      setValue(typed);
      type(null);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  });
  return [typed ?? value, type];
}

const PAUSE_MS = 300;

// What somebody is typing, once they pause: nobody is asked at each letter.

import { useEffect, useState } from 'react';

/** The text as it was when it had not changed for a while. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}

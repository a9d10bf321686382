// Whether the service answers this tab: asked every three seconds while somebody looks, by the console's own
// page, which costs the service no look at its database. What is on the page is read again when it is back.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

export function useAway(): boolean {
  const [isAway, setAway] = useState(false);
  const queries = useQueryClient();
  useEffect(() => {
    let known = false;
    const learn = (away: boolean) => {
      if (away === known) return;
      known = away;
      setAway(away);
      if (!away) void queries.invalidateQueries();
    };
    const ask = async () => {
      if (document.visibilityState === 'visible') learn(!navigator.onLine || !(await answers()));
    };
    const now = () => void ask();
    const timer = setInterval(now, ASK_MS);
    for (const name of ['online', 'offline']) addEventListener(name, now);
    document.addEventListener('visibilitychange', now);
    return () => {
      clearInterval(timer);
      for (const name of ['online', 'offline']) removeEventListener(name, now);
      document.removeEventListener('visibilitychange', now);
    };
  }, [queries]);
  return isAway;
}

/** A proxy may answer in its place. */
async function answers(): Promise<boolean> {
  try {
    const { status } = await fetch('/console/', {
      method: 'HEAD',
      cache: 'no-store',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    return status < 500;
  } catch {
    return false;
  }
}

/** With the limit, less than five seconds. */
const ASK_MS = 3_000;
const LIMIT_MS = 1_800;

// The way out of the console. One that does not work is said: who believes to be logged out leaves the tab to
// whoever comes next.

import { logOut } from '../api/client.ts';
import { useTell } from '../parts/toast.tsx';

export function useLogOut(): () => void {
  const tell = useTell();
  return () =>
    void logOut().catch(() => tell('You are still logged in', 'The service did not answer. Try again.'));
}

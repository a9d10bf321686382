// Where one certificate request token is shown: alone in the list of all.

import { hrefTo } from '../router.tsx';

export function requestTokenHref(id: string): string {
  return `${hrefTo('certificates', 'tokens')}?${new URLSearchParams({ token: id })}`;
}

// The address of the page that says what somebody could open.

import type { PersonSearch } from '../../../src/wire/who.ts';
import { hrefTo } from '../router.tsx';

export function personAccessHref({ email, provider, certificate }: PersonSearch): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ email, provider, certificate }))
    if (value !== undefined) query.set(name, value);
  return `${hrefTo('sessions', 'access')}?${query}`;
}

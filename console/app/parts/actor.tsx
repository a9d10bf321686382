// Who did something, as people know them: the member's address or the key's name in the place of an id.

import { parseActor } from '../../../src/domain/actor.ts';
import { useKnownKeys, useKnownMembers } from '../api/known-people.ts';
import { personAccessHref } from './person-access.ts';
import { hrefTo, Link } from '../router.tsx';

/**
 * `name` as the API gives it: `member:mem_…`, `api-key:key_…`, `certificate:cer_…`, `operator`; null where
 * nobody is known.
 */
export function Actor({ name }: { readonly name: string | null }) {
  const actor = parseActor(name);
  const members = useKnownMembers(actor?.kind === 'member');
  const keys = useKnownKeys(actor?.kind === 'key');
  if (actor?.kind === 'member') {
    const email = members?.find((each) => each.id === actor.id)?.email;
    return email === undefined ? (
      <code>{name}</code>
    ) : (
      <Link href={personAccessHref({ email })}>{email}</Link>
    );
  }
  if (actor?.kind === 'key') {
    const key = keys?.find((each) => each.id === actor.id);
    return key === undefined ? (
      <code>{name}</code>
    ) : (
      <Link href={hrefTo('people', 'keys')}>API key {key.name}</Link>
    );
  }
  // One that is known by its serial number alone has no page.
  if (actor?.kind === 'certificate')
    return <Link href={hrefTo('certificates', actor.id)}>a certificate</Link>;
  return name ?? 'unknown';
}

// Who did something, as people know them: the member's address or the key's name in the place of an id.

import { useKnownKeys, useKnownMembers } from '../api/known-people.ts';
import { hrefTo, Link } from '../router.tsx';
import { actorOf } from './actor-text.ts';

/** `name` as the API gives it: `member:mem_…`, `api-key:key_…`, `certificate:cer_…`, `operator`; null where nobody is known. */
export function Actor({ name }: { readonly name: string | null }) {
  const { kind, id } = actorOf(name);
  const members = useKnownMembers(kind === 'member');
  const keys = useKnownKeys(kind === 'api-key');
  if (kind === 'member') {
    const email = members?.find((each) => each.id === id)?.email;
    return email === undefined ? <code>{name}</code> : <Link href={hrefTo('people')}>{email}</Link>;
  }
  if (kind === 'api-key') {
    const key = keys?.find((each) => each.id === id);
    return key === undefined ? (
      <code>{name}</code>
    ) : (
      <Link href={hrefTo('people', 'keys')}>API key {key.name}</Link>
    );
  }
  if (kind === 'certificate') return <Link href={hrefTo('certificates', id)}>a certificate</Link>;
  return name ?? 'unknown';
}

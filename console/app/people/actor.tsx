// Who did something, as people know them: the member's address or the key's name in the place of an id.

import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { actorOf } from './actor-text.ts';

/** `name` as the API gives it: `member:mem_…`, `api-key:key_…`, `certificate:cer_…`, `operator`; null where nobody is known. */
export function Actor({ name }: { readonly name: string | null }) {
  const { kind, id } = actorOf(name);
  const may = useMay();
  const members = useQuery({
    queryKey: ['members', 'names'],
    queryFn: () => client.members.list({ limit: MOST }),
    enabled: may('members.read') && kind === 'member',
    staleTime: FRESH_MS,
  });
  const keys = useQuery({
    queryKey: ['api-keys', 'names'],
    queryFn: () => client.apiKeys.list({ limit: MOST }),
    enabled: may('api_keys.read') && kind === 'api-key',
    staleTime: FRESH_MS,
  });
  if (kind === 'member') {
    const email = members.data?.items.find((each) => each.id === id)?.email;
    return email === undefined ? <code>{name}</code> : <Link href={hrefTo('people')}>{email}</Link>;
  }
  if (kind === 'api-key') {
    const key = keys.data?.items.find((each) => each.id === id);
    return key === undefined ? (
      <code>{name}</code>
    ) : (
      <Link href={hrefTo('people', 'keys')}>API key {key.name}</Link>
    );
  }
  if (kind === 'certificate') return <Link href={hrefTo('certificates', id)}>a certificate</Link>;
  return name ?? 'unknown';
}

/** Beyond that an id stands for itself. */
const MOST = 200;
const FRESH_MS = 60_000;

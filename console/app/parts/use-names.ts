// What shares and callers are called, for events that know them by id. Only admins and auditors may read who
// the members and keys are.

import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Actor, actorText, parseActor } from '../../../src/domain/actor.ts';
import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { client } from '../api/client.ts';
import { useKnownKeys, useKnownMembers } from '../api/known-people.ts';

export type Named = { readonly id: string; readonly name: string };

export type Names = {
  readonly shares: readonly Named[];
  /** As events name them: `member:mem_…`, `api-key:key_…`. */
  readonly actors: readonly Named[];
};

export function useNames(): Names {
  const shares = useQuery({
    queryKey: ['names', 'shares'],
    queryFn: async () => (await client.shares.list({ limit: MOST })).items,
    staleTime: FRESH_MS,
  });
  const members = useKnownMembers();
  const keys = useKnownKeys();
  return useMemo(
    () => ({
      shares: (shares.data ?? []).map(({ id, name }) => ({ id, name })),
      actors: [
        ...(members ?? []).map(({ id, email }) => ({
          id: actorText({ kind: 'member', id: id as `mem_${string}` }),
          name: email,
        })),
        ...(keys ?? []).map(({ id, name }) => ({
          id: actorText({ kind: 'key', id: id as `key_${string}` }),
          name: `key ${name}`,
        })),
      ],
    }),
    [shares.data, members, keys],
  );
}

export function shareLabel(id: string, { shares }: Names): string {
  return shares.find((share) => share.id === id)?.name ?? id;
}

/** By name where it is known, and as what it is otherwise. */
export function actorLabel(text: string, { actors }: Names): string {
  const known = actors.find(({ id }) => id === text);
  if (known !== undefined) return known.name;
  const actor = parseActor(text);
  return (actor === null ? undefined : ACTORS[actor.kind]) ?? text;
}

/** The person, and who did it where that was somebody else. */
export function whoLabel({ kind, email, actor }: AuditEventObject, names: Names): string {
  if (actor === null) return email ?? '';
  const by = actorLabel(actor, names);
  // What a member did for themselves needs nobody named twice, also where members cannot be read.
  const isOwn = email === by || kind.startsWith('console.') || kind === 'member.accepted';
  return email === null ? by : isOwn ? email : `${email}, by ${by}`;
}

/** An address that nobody vouches for is shown as it is. */
const ACTORS: Readonly<Partial<Record<Actor['kind'], string>>> = {
  member: 'a member',
  key: 'an API key',
  certificate: 'a certificate',
  'certificate-serial': 'a certificate',
  token: 'a certificate link',
  operator: 'the operator',
  holder: 'its holder',
};
/** Most accounts have fewer; whoever is not among them is shown by id. */
const MOST = 200;
const FRESH_MS = 60_000;

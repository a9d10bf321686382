// Members and API keys, for pages that know them by id. Only admins and auditors may read who they are; most
// accounts have fewer than are read, and whoever is not among them is shown by id.

import { useQuery } from '@tanstack/react-query';
import type { ApiKeyObject } from '../../../src/wire/api-key.ts';
import type { MemberObject } from '../../../src/wire/member.ts';
import { useMay } from '../shell/session-context.ts';
import { client } from './client.ts';

/** Undefined while they are read, and for who may not, or does not want to. */
export function useKnownMembers(wanted = true): readonly MemberObject[] | undefined {
  const may = useMay();
  return useQuery({
    queryKey: ['members', 'names'],
    queryFn: async () => (await client.members.list({ limit: MOST })).items,
    enabled: wanted && may('members.read'),
    staleTime: FRESH_MS,
  }).data;
}

/** Undefined while they are read, and for who may not, or does not want to. */
export function useKnownKeys(wanted = true): readonly ApiKeyObject[] | undefined {
  const may = useMay();
  return useQuery({
    queryKey: ['api-keys', 'names'],
    queryFn: async () => (await client.apiKeys.list({ limit: MOST })).items,
    enabled: wanted && may('api_keys.read'),
    staleTime: FRESH_MS,
  }).data;
}

/** As many as the API gives at once. */
const MOST = 200;
const FRESH_MS = 60_000;

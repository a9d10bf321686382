// What can be done to host names: to one, or to several that are chosen.

import { useQueryClient } from '@tanstack/react-query';
import type { HostObject } from '../../../src/wire/host.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { Badge } from '../parts/badge.tsx';

export const HOST_GONE = 'The share stops answering there. Another account can then verify the host.';

export const VERIFY_HOSTS: Act<HostObject> = {
  label: 'Verify',
  isFor: ({ state }) => state === 'pending',
  question: (hosts) => `Verify ${which(hosts)}?`,
  about:
    'Looks for the TXT record of each in the DNS. The share answers at the host as soon as it is there. A new record can take minutes to become visible.',
  action: 'Verify',
  done: (count) => (count === 1 ? 'The host name is verified' : `${count} host names are verified`),
  run: ({ id }) => client.hosts.verify(id),
};

export const DELETE_HOSTS: Act<HostObject> = {
  label: 'Delete',
  isDanger: true,
  question: (hosts) => `Delete ${which(hosts)}?`,
  about: HOST_GONE,
  action: 'Delete',
  done: (count) => (count === 1 ? 'The host name was deleted' : `${count} host names were deleted`),
  run: ({ id }) => client.hosts.remove(id),
};

export function hostName({ host }: HostObject): string {
  return host;
}

export function HostBadge({ host: { state } }: { readonly host: HostObject }) {
  return (
    <Badge tone={state === 'active' ? 'good' : 'warn'}>
      {state === 'active' ? 'answers' : 'not verified yet'}
    </Badge>
  );
}

/** Reads again whatever a change of host names changes. */
export function useHostsChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([['hosts'], ['shares']].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

function which(hosts: readonly HostObject[]): string {
  const [first] = hosts;
  return hosts.length === 1 && first !== undefined ? first.host : `${hosts.length} host names`;
}

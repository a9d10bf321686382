// Hosts of a state: claimed and released as by their own operations. A host of another share is released and
// claimed again, so it has to be verified again, unless the operator granted it.

import { parseCustomHost, requireCookieReach } from '../../domain/custom-host.ts';
import { newId } from '../../domain/id.ts';
import { namedProviders } from '../../domain/named-providers.ts';
import type { ShareHostRow } from '../../store/shares/host.ts';
import type { StateHost } from '../../wire/state.ts';
import { recordedChange } from '../change-note.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { MOST_HOSTS } from '../hosts/create.ts';
import { hostVersion } from '../hosts/schema.ts';
import { unknownShare } from '../shares/find.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import type { PlannedShare } from './plan-shares.ts';
import { distinct, inTurn, judged, type Planning } from './planning.ts';
import { hostClaimed, hostDeleted } from '../hosts/note.ts';

export async function planHosts(
  planning: Planning,
  shares: ReadonlyMap<string, PlannedShare>,
): Promise<void> {
  const { snapshot, state, found, prune } = planning;
  if (state.hosts === undefined || snapshot.hosts === null) return;
  const said = state.hosts;
  distinct(found, 'hosts', { items: said, field: 'host', nameOf: ({ host }) => host });
  const there = new Map(snapshot.hosts.map((row) => [row.host, row]));
  await inTurn(said, (host, index) =>
    judged(found, `state.hosts.${index}`, () =>
      planHost(planning, { host, row: there.get(host.host), share: shares.get(host.share) }),
    ),
  );
  const names = new Set(said.map(({ host }) => host));
  for (const row of snapshot.hosts) {
    if (names.has(row.host)) continue;
    if (prune) planRelease(planning, row, true);
    else found.kept.push({ kind: 'host', name: row.host });
  }
}

type Asked = {
  readonly host: StateHost;
  readonly row: ShareHostRow | undefined;
  readonly share: PlannedShare | undefined;
};

async function planHost(planning: Planning, { host, row, share }: Asked): Promise<void> {
  const { deps, caller, found } = planning;
  const { shareBase, ownHosts, cookieDomain } = deps.settings();
  if (share === undefined) throw unknownShare(host.share);
  const thing = { kind: 'host', name: host.host } as const;
  if (row?.shareName === host.share) {
    // What was claimed and never proved, and is granted by now, is still to be done.
    const isGranted = row.proof === null && (await deps.store.hosts.isGranted(caller.accountId, row.host));
    if (!isGranted) return void found.unchanged.push(thing);
    const fields = [{ name: 'state', before: 'pending', after: 'active' }];
    found.steps.push({
      at: 'write hosts',
      change: { action: 'change', ...thing, fields },
      run: () => Promise.resolve(),
    });
    return void found.claimed.push(row.host);
  }
  const name = parseCustomHost(host.host, { base: shareBase, ownHosts });
  if (namedProviders(share.settings).length > 0) requireCookieReach(name, { ...shareBase, cookieDomain });
  if (row !== undefined) planRelease(planning, row, false);
  const claim = {
    id: newId('hst'),
    accountId: caller.accountId,
    shareId: share.id,
    host: name,
    createdAt: deps.now(),
    most: MOST_HOSTS,
    mostOfAccount: deps.settings().limits.hosts,
  };
  found.steps.push({
    at: 'write hosts',
    change: {
      action: row === undefined ? 'create' : 'replace',
      ...thing,
      fields: [{ name: 'share', before: row?.shareName ?? null, after: host.share }],
    },
    run: () =>
      recordedChange(
        deps,
        caller,
        () => deps.store.hosts.claim(claim),
        () => hostClaimed({ shareId: share.id, shareName: host.share, host: name }),
      ),
  });
  found.claimed.push(name);
}

/** `isTold`: it is a change of its own. */
function planRelease({ deps, caller, found }: Planning, row: ShareHostRow, isTold: boolean): void {
  const judge = (host: ShareHostRow) => checkIfMatch(etagOf(hostVersion(row)), hostVersion(host));
  found.steps.push({
    at: 'delete hosts',
    change: isTold ? { action: 'delete', kind: 'host', name: row.host, fields: [] } : null,
    run: async () => {
      const gone = await recordedChange(
        deps,
        caller,
        () => deps.store.hosts.remove(caller.accountId, row.id, deps.now(), judge),
        (removed) => removed && hostDeleted(removed),
      );
      if (gone === null) throw changedMeanwhile(`host ${row.host}`);
    },
  });
}

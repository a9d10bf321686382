// Very many shares on their way to a worker that starts. Most differ in name and address alone: what else
// they have is sent once for all that have the same, and held once by those on the other side.

import { createAlike } from '../domain/alike.ts';
import type { ShareId } from '../domain/id.ts';
import { GATE_SETTINGS, type Share } from '../domain/share.ts';

/** In columns, which are cloned several times as fast as objects. */
export type PackedShares = {
  readonly ids: readonly ShareId[];
  readonly names: readonly string[];
  readonly hosts: readonly (readonly string[])[];
  readonly targets: readonly (string | null)[];
  /** For each, which of `alike` it is. */
  readonly groups: Uint32Array;
  readonly alike: readonly AlikeShares[];
};

export function packShares(shares: readonly Share[]): PackedShares {
  const alikeOf = createAlike(ALIKE_MEMBERS);
  const numbers = new Map<AlikeShares, number>();
  const groups = Uint32Array.from(shares, (share) => {
    const alike = alikeOf(share);
    const known = numbers.get(alike);
    if (known !== undefined) return known;
    numbers.set(alike, numbers.size);
    return numbers.size - 1;
  });
  return {
    ids: shares.map(({ id }) => id),
    names: shares.map(({ name }) => name),
    hosts: shares.map(({ hosts }) => hosts),
    targets: shares.map(({ target }) => target),
    groups,
    alike: [...numbers.keys()],
  };
}

export function unpackShares({ ids, names, hosts, targets, groups, alike }: PackedShares): readonly Share[] {
  return ids.map((id, index) => ({
    id,
    name: names[index] ?? '',
    hosts: hosts[index] ?? [],
    target: targets[index] ?? null,
    ...alike[groups[index]!]!,
  }));
}

type AlikeShares = Omit<Share, 'id' | 'name' | 'hosts' | 'target'>;
const ALIKE_MEMBERS: readonly (keyof AlikeShares)[] = ['accountId', 'login', ...GATE_SETTINGS];

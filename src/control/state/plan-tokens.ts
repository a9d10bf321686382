// Service tokens of a state. A token never changes: another one takes its place, and its secret is another.
// One that expired is no part of the state, and makes room for a new one of its name.

import type { ShareId } from '../../domain/id.ts';
import type { ServiceTokenRow } from '../../store/tokens/service-token.ts';
import type { StateField, StateToken } from '../../wire/state.ts';
import { recordedChange } from '../change-note.ts';
import { inputRefused } from '../input-fault.ts';
import { unknownShare } from '../shares/find.ts';
import { checked, MAX_LIFETIME_MS, newTokenRow } from '../tokens/create.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import type { PlannedShare } from './plan-shares.ts';
import { differences, distinct, inTurn, judged, type Planning } from './planning.ts';
import { isValid, tokenState } from './view.ts';
import { serviceTokenCreated, serviceTokenDeleted } from '../tokens/note.ts';

export async function planTokens(
  planning: Planning,
  shares: ReadonlyMap<string, PlannedShare>,
): Promise<void> {
  const { deps, snapshot, state, found, prune } = planning;
  if (state.tokens === undefined || snapshot.tokens === null) return;
  const said = state.tokens;
  distinct(found, 'tokens', { items: said, field: 'name', nameOf: ({ name }) => name });
  const there = new Map(snapshot.tokens.map((row) => [row.name, row]));
  const now = deps.now();
  const left = snapshot.shares.filter((share) => shares.has(share.name));
  const names = new Map(left.map(({ id, name }) => [id, name]));
  await inTurn(said, (token, index) =>
    judged(found, `state.tokens.${index}`, () =>
      planToken(planning, { token, row: there.get(token.name), now, names }, shares),
    ),
  );
  const kept = new Set(said.map(({ name }) => name));
  for (const row of snapshot.tokens) {
    if (kept.has(row.name) || !isValid(row, now)) continue;
    if (prune) planDeletion(planning, row, true);
    else found.kept.push({ kind: 'token', name: row.name });
  }
}

type Asked = {
  readonly token: StateToken;
  readonly row: ServiceTokenRow | undefined;
  readonly now: number;
  /** Of the shares that are there now and will be. */
  readonly names: ReadonlyMap<ShareId, string>;
};

function planToken(
  planning: Planning,
  { token, row, now, names }: Asked,
  shares: ReadonlyMap<string, PlannedShare>,
): void {
  const { deps, caller, found } = planning;
  const { name } = token;
  if ((token.expiresAt === undefined) === (token.expiresIn === undefined))
    throw inputRefused([{ path: 'expiresAt', message: 'use either expiresAt or expiresIn' }]);
  const fields = fieldsOf({ token, row, now, names });
  if (fields.length === 0) return void found.unchanged.push({ kind: 'token', name });
  const shareIds = token.shares.map((share) => {
    const planned = shares.get(share);
    if (planned === undefined) throw unknownShare(share);
    return planned.id;
  });
  if (shareIds.length === 0)
    throw inputRefused([{ path: 'shares', message: 'name one or more shares for a new token' }]);
  const named = new Map(token.shares.map((share) => [shares.get(share)?.id, share]));
  const lifetimeMs = lifetimeOf(token, now);
  if (row !== undefined) planDeletion(planning, row, false);
  const made = newTokenRow(caller, now, { name, shareIds: [...new Set(shareIds)], lifetimeMs });
  found.steps.push({
    at: 'write tokens',
    change: {
      action: row === undefined || !isValid(row, now) ? 'create' : 'replace',
      kind: 'token',
      name,
      fields,
    },
    run: () =>
      recordedChange(
        deps,
        caller,
        () => deps.store.serviceTokens.create(made.row, caller, deps.settings().limits.serviceTokens),
        () => serviceTokenCreated(made.row, (id) => named.get(id)),
      ),
  });
  found.secrets.push({ kind: 'token', name, secret: made.token.reveal() });
}

/** What the token is not yet. Shares that go with this plan leave the token by themselves. */
function fieldsOf({ token, row, now, names }: Asked): readonly StateField[] {
  const { name: _name, ...wanted } = token;
  const asked = { ...wanted, shares: [...new Set(token.shares)].toSorted() };
  if (row === undefined || !isValid(row, now)) return differences({}, asked);
  const is = tokenState(row, names);
  const isOther = token.expiresAt !== undefined && Date.parse(token.expiresAt) !== row.expiresAt;
  return differences(
    { shares: is.shares, expiresAt: is.expiresAt },
    { shares: asked.shares, expiresAt: isOther ? token.expiresAt : is.expiresAt },
  );
}

/** Throws `validation_failed`. */
function lifetimeOf({ name, expiresAt, expiresIn = '1d' }: StateToken, now: number): number {
  const { lifetimeMs } = checked({ name, expiresIn });
  if (expiresAt === undefined) return lifetimeMs;
  const untilMs = Date.parse(expiresAt) - now;
  if (untilMs > 0 && untilMs <= MAX_LIFETIME_MS) return untilMs;
  const message = untilMs > 0 ? 'at most 397d from now' : 'it has passed; choose a later time';
  throw inputRefused([{ path: 'expiresAt', message }]);
}

/** `isTold`: it is a change of its own. */
function planDeletion(planning: Planning, row: ServiceTokenRow, isTold: boolean): void {
  const { deps, caller, found, snapshot } = planning;
  const names = new Map(snapshot.shares.map(({ id, name }) => [id, name]));
  found.steps.push({
    at: 'delete tokens',
    change: isTold ? { action: 'delete', kind: 'token', name: row.name, fields: [] } : null,
    run: async () => {
      const gone = await recordedChange(
        deps,
        caller,
        () => deps.store.serviceTokens.remove(caller.accountId, row.id),
        (token) => token && serviceTokenDeleted(token, (id) => names.get(id)),
      );
      if (gone === null) throw changedMeanwhile(`token ${row.name}`);
    },
  });
}

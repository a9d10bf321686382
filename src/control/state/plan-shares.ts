// Shares of a state: made, changed and deleted as by their own operations. The whole of a share is meant: a
// setting of which the state says nothing becomes what a new share has.

import { isDeepStrictEqual } from 'node:util';
import type { ShareId } from '../../domain/id.ts';
import { isOpenToEveryone } from '../../domain/open-share.ts';
import type { Setting } from '../../domain/share-setting.ts';
import { KEPT_SETTINGS, keptSettings, type ShareSettings } from '../../domain/share-values.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { ShareChanges } from '../../wire/share.ts';
import type { StateField, StateShare } from '../../wire/state.ts';
import { recordedChange } from '../change-note.ts';
import { asksAuthority } from '../certificates/share.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { newRow, storeNewShare } from '../shares/create.ts';
import { prepareChange } from '../shares/modify.ts';
import { backendOf } from '../shares/new.ts';
import { shareDeleted } from '../shares/note.ts';
import type { NamedProvider } from '../shares/settings.ts';
import { shownSettings } from '../shares/view.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { differences, distinct, inGroups, judged, type Planning } from './planning.ts';
import { isOfState } from './snapshot.ts';
import { shareState } from './view.ts';

/** As it will be. */
export type PlannedShare = { readonly id: ShareId; readonly settings: ShareSettings };

/** The shares that there will be, by name. `providers`: those that they may name then. */
export async function planShares(
  planning: Planning,
  providers: readonly NamedProvider[],
): Promise<ReadonlyMap<string, PlannedShare>> {
  const { snapshot, state, found, prune } = planning;
  const planned = new Map<string, PlannedShare>(
    snapshot.shares.map((row) => [row.name, { id: row.id, settings: row }]),
  );
  if (state.shares === undefined) return planned;
  const said = state.shares;
  distinct(found, 'shares', { items: said, field: 'name', nameOf: ({ name }) => name });
  const there = new Map(snapshot.shares.map((row) => [row.name, row]));
  await inGroups(said, (share, index) =>
    judged(found, `state.shares.${index}`, async () => {
      const row = there.get(share.name);
      const after =
        row === undefined
          ? await planNew(planning, share, providers)
          : await planChange(planning, { share, row, path: `state.shares.${index}` }, providers);
      if (after !== null) planned.set(share.name, after);
    }),
  );
  const names = new Set(said.map(({ name }) => name));
  for (const row of snapshot.shares.filter(isOfState)) {
    if (names.has(row.name)) continue;
    if (prune) {
      planDeletion(planning, row);
      planned.delete(row.name);
    } else found.kept.push({ kind: 'share', name: row.name });
  }
  return planned;
}

async function planNew(
  { deps, caller, found }: Planning,
  share: StateShare,
  providers: readonly NamedProvider[],
): Promise<PlannedShare> {
  const input = { ...share, tunnel: share.tunnel };
  const { row, definitions } = await newRow(deps, caller, { input, backend: backendOf(input), providers });
  if (asksAuthority(deps, { change: share, after: row })) found.needAuthority.push(row.name);
  found.steps.push({
    at: 'write shares',
    change: { action: 'create', kind: 'share', name: row.name, fields: fieldsOf(null, row) },
    run: () => storeNewShare(deps, caller, { row, definitions }),
  });
  return { id: row.id, settings: row };
}

type Known = { readonly share: StateShare; readonly row: ShareRow; readonly path: string };

async function planChange(
  { deps, caller, found }: Planning,
  { share, row, path }: Known,
  providers: readonly NamedProvider[],
): Promise<PlannedShare | null> {
  const wrong = backendFault(share, row);
  if (wrong !== null) {
    found.faults.push({ path: `${path}.${wrong.field}`, message: wrong.message });
    return null;
  }
  const thing = { kind: 'share', name: row.name } as const;
  const changes = { ...settingChanges(share, row), ...targetChange(share, row) };
  const modification = { named: row.name, changes, ifMatch: etagOf(row) };
  const same = { target: row.target, ...keptSettings(row) };
  const { after, commit } =
    Object.keys(changes).length === 0
      ? { after: same, commit: null }
      : await prepareChange(deps, { seen: row, modification, providers });
  // A state says what everybody may open, whatever the share was before.
  if (isOpenToEveryone(after) !== (share.open === true))
    found.faults.push({ path: `${path}.open`, message: share.open === true ? NOT_OPEN : OPEN });
  if (commit === null || isDeepStrictEqual(after, same)) found.unchanged.push(thing);
  else {
    if (asksAuthority(deps, { change: changes, after })) found.needAuthority.push(row.name);
    found.steps.push({
      at: 'write shares',
      change: { action: 'change', ...thing, fields: fieldsOf(row, { ...row, ...after }) },
      run: () => commit(caller),
    });
  }
  return { id: row.id, settings: after };
}

function planDeletion({ deps, caller, found }: Planning, row: ShareRow): void {
  const seen = etagOf(row);
  let removed = row;
  const judge = (share: ShareRow) => {
    removed = share;
    checkIfMatch(seen, share);
  };
  found.steps.push({
    at: 'delete shares',
    change: { action: 'delete', kind: 'share', name: row.name, fields: [] },
    run: async () => {
      const isGone = await recordedChange(
        deps,
        caller,
        () => deps.store.shares.remove(caller.accountId, row.id, judge),
        (gone) => gone && shareDeleted(removed),
      );
      if (!isGone) throw changedMeanwhile(`share ${row.name}`);
    },
  });
}

function backendFault(
  share: StateShare,
  row: ShareRow,
): { readonly field: string; readonly message: string } | null {
  const { target, tunnel, behind = false } = share;
  if ([target !== undefined, tunnel !== undefined, behind].filter(Boolean).length !== 1)
    return {
      field: 'target',
      message: 'use one of target, tunnel: reserved for a share that agents serve, or behind: true',
    };
  if (row.tunnel === 'ephemeral')
    return {
      field: 'name',
      message: 'an agent serves an ephemeral share of this name; stop the agent first',
    };
  if ((row.tunnel === null) === (tunnel === undefined)) return null;
  const found = row.tunnel === null ? 'is not served by agents' : 'is served by agents';
  const field = tunnel !== undefined ? 'tunnel' : behind ? 'behind' : 'target';
  return { field, message: `the share ${found}, which cannot be changed; delete the share first` };
}

/** What the share has not yet, said as a change of it. */
function settingChanges(share: StateShare, row: ShareRow): ShareChanges {
  const shown: Readonly<Record<string, unknown>> = shownSettings(row);
  const wanted = KEPT_SETTINGS.map(([name, setting]) => [name, wholeValue(setting, share[name])] as const);
  const changed = wanted.filter(([name, value]) => !isDeepStrictEqual(value, shown[name]));
  const changes: ShareChanges = Object.fromEntries(changed);
  return share.open === undefined || changed.length === 0 ? changes : { ...changes, open: share.open };
}

/** With everything that the state leaves out. */
function wholeValue(setting: Setting, said: unknown): unknown {
  if (said === undefined) return setting.unset;
  if (setting.kind !== 'section' || said === null) return said;
  const section = said as Readonly<Record<string, unknown>>;
  if (section['required'] === false) return null;
  const parts = Object.keys(setting.parts).map((name) => [name, section[name] ?? null]);
  return { required: true, ...Object.fromEntries(parts) };
}

function targetChange({ target }: StateShare, row: ShareRow): ShareChanges {
  return target === undefined || target === row.target ? {} : { target };
}

function fieldsOf(before: ShareRow | null, after: ShareRow): readonly StateField[] {
  const { name: _name, ...is } = shareState(after);
  if (before === null) return differences({}, is);
  const { name: _former, ...was } = shareState(before);
  return differences(was, is);
}

const OPEN =
  'without a login and a client certificate the share is open to everyone: name a provider, or confirm it with open: true';
const NOT_OPEN = 'the share requires a login or a client certificate; remove that, or leave out open';

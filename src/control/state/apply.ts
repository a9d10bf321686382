// POST /v1/apply: brings the account to a state. One transaction makes all changes, or none; of two at once
// the second sees what the first made, and is refused if it was thought out before.

import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ApplyAnswer, StateChange } from '../../wire/state.ts';
import { authoritiesOf } from '../../pki/authority.ts';
import { problems } from '../answers.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller } from '../control-deps.ts';
import { findHost } from '../hosts/find.ts';
import { proveIfGranted } from '../hosts/prove.ts';
import { APPLY_PATH } from '../json-body.ts';
import { operation } from '../operation.ts';
import type { OperationDeps } from '../operation-deps.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { planName, planState } from './plan.ts';
import { breath, type Plan } from './planning.ts';
import { applyAnswerSchema, applyInputSchema } from './schema.ts';
import { authorizeChange, managedSections, type SectionName } from './sections.ts';
import { readSnapshot, type Snapshot, snapshotTag } from './snapshot.ts';

export const applyState = operation({
  needs: 'shares.read',
  route: {
    method: 'post',
    path: APPLY_PATH,
    operationId: 'applyState',
    summary: 'Apply a state to the account',
    description:
      'Brings the sections of the state about: creates and changes what differs, and with `prune` deletes the rest, in one transaction. Each section and change requires the permission of its own operations. A dry run requires the permission to read.',
    request: { body: { required: true, content: { 'application/json': { schema: applyInputSchema } } } },
    responses: {
      200: {
        description: 'What was changed, or for a dry run what would be.',
        content: { 'application/json': { schema: applyAnswerSchema } },
      },
      ...problems(
        'precondition_failed',
        'provider_in_use',
        'provider_unknown',
        'share_unknown',
        'name_taken',
        'host_taken',
        'too_many_hosts',
        'too_many_webhooks',
        'limit_reached',
        'rules_too_large',
        'needs_tls',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => {
    const takeTurn = createTurns();
    return async (c) => {
      const caller = c.get('caller');
      const { state, prune = false, dryRun = false, plan: expected } = c.req.valid('json');
      const sections = managedSections(caller, state);
      const snapshot = await readSnapshot(deps.store, caller.accountId, sections);
      const plan = await planState(deps, caller, { state, prune, snapshot });
      const name = planName(snapshot, plan);
      if (expected !== undefined && expected !== name) throw changedMeanwhile('the account');
      const answer = answerOf(plan, name);
      if (dryRun || plan.steps.length === 0) return c.json(applyAnswerSchema.parse(answer), 200);
      for (const { kind } of answer.changes) authorizeChange(caller, kind);
      // The call itself is one of them.
      deps.countChange.charge(caller.accountId, plan.steps.length - 1);
      if (plan.needAuthority.length > 0) await authoritiesOf(deps, caller.accountId);
      await takeTurn(caller.accountId, () => commit(deps, caller, { plan, snapshot, sections }));
      const notes = [...plan.notes, ...(await finished(deps, caller, plan))];
      const { secrets } = plan;
      return c.json(applyAnswerSchema.parse({ ...answer, applied: true, secrets, notes }), 200);
    };
  },
});

/** Nothing was applied yet: no secret is shown that may never count. */
function answerOf({ steps, unchanged, kept, notes }: Plan, plan: string): ApplyAnswer {
  const changes = steps.flatMap(({ change }): readonly StateChange[] => (change === null ? [] : [change]));
  return { applied: false, plan, changes, unchanged, kept, secrets: [], notes };
}

type Commit = {
  readonly plan: Plan;
  readonly snapshot: Snapshot;
  readonly sections: ReadonlySet<SectionName>;
};

/** Throws `precondition_failed` when anything that the plan looked at is another by now. */
function commit(
  { store }: OperationDeps,
  caller: Caller,
  { plan, snapshot, sections }: Commit,
): Promise<void> {
  const { accountId } = caller;
  const seen = snapshotTag(snapshot);
  return store.together(async () => {
    await store.accounts.hold(accountId);
    if (snapshotTag(await readSnapshot(store, accountId, sections)) !== seen)
      throw changedMeanwhile('the account');
    for (const [index, { run }] of plan.steps.entries()) {
      await run();
      if (index % STEPS_AT_ONCE === 0) await breath();
    }
  });
}

/**
 * What is done with what is there now: it is kept, so whatever this meets is told and not thrown. Secrets
 * that were made are shown this once.
 */
async function finished(deps: OperationDeps, caller: Caller, { claimed }: Plan): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const host of claimed)
    try {
      const claim = await findHost(deps.store.hosts, caller.accountId, host);
      const { proof } = await proveIfGranted(deps, caller, claim);
      if (proof === null)
        notes.push(`Host ${host} is pending: doorward host show ${host} says how to verify it.`);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      notes.push(`Host ${host} is pending: ${error.message}.`);
    }
  const isLive = await confirmLive(deps).then(
    () => true,
    () => false,
  );
  if (!isLive) notes.push('The changes are stored, and not confirmed to be live yet.');
  return notes;
}

/** Those of one account go one after the other: a waiting one would keep a connection of the database. */
function createTurns() {
  const last = new Map<AccountId, Promise<unknown>>();
  return async <T>(accountId: AccountId, work: () => Promise<T>): Promise<T> => {
    const before = last.get(accountId) ?? Promise.resolve();
    const turn = before.then(work, work);
    last.set(accountId, turn);
    try {
      return await turn;
    } finally {
      if (last.get(accountId) === turn) last.delete(accountId);
    }
  };
}

/** A few milliseconds' worth. */
const STEPS_AT_ONCE = 10;

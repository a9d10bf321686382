// Webhooks of a state. Their names are notes for people, so each is found by what it has in common with one
// that is there: everything, then name and URL, then the name, then the URL.

import { newId } from '../../domain/id.ts';
import { constantTimeEqual, Secret } from '../../domain/secret.ts';
import type { AuditKind } from '../../domain/audit-kind.ts';
import type { Webhook, WebhookSettings } from '../../store/webhooks/webhook.ts';
import { newWebhookSecret } from '../../webhooks/signature.ts';
import type { StateField, StateWebhook } from '../../wire/state.ts';
import { recordedChange } from '../change-note.ts';
import { inputRefused } from '../input-fault.ts';
import { etagOf } from '../etag.ts';
import { tooManyWebhooks } from '../webhooks/create.ts';
import { whatChanges } from '../webhooks/modify.ts';
import { DEFAULT_OVERLAP, overlapMsOf, tooManySecrets } from '../webhooks/rotate-secret.ts';
import { parseWebhookUrl } from '../webhooks/url.ts';
import { webhookJudge, webhookVersion } from '../webhooks/view.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { createPace, differences, inTurn, judged, type Planning } from './planning.ts';
import { mayChange } from './sections.ts';
import { webhookState } from './view.ts';
import { webhookCreated, webhookDeleted, webhookModified, webhookSecretRotated } from '../webhooks/note.ts';
import { remembering } from '../remembering.ts';

export async function planWebhooks(planning: Planning): Promise<void> {
  const { deps, caller, snapshot, state, found, prune } = planning;
  if (state.webhooks === undefined || snapshot.webhooks === null) return;
  const by = { ...deps.settings(), accountId: caller.accountId };
  const asked: Asked[] = [];
  await inTurn(state.webhooks, (webhook, index) =>
    judged(found, `state.webhooks.${index}`, async () => {
      requireSoundSecret(webhook);
      const { secret, ...said } = webhook;
      const isKept = snapshot.webhooks?.some(({ url }) => url === said.url) === true;
      const url = isKept ? said.url : await parseWebhookUrl(said.url, by);
      const kinds = [...new Set(said.kinds ?? [])] as AuditKind[];
      asked.push({ name: said.name ?? null, url, kinds, enabled: said.enabled ?? true, secret });
    }),
  );
  const { pairs, left } = await paired(asked, snapshot.webhooks);
  await inTurn(pairs, async ({ webhook, row }) => {
    if (row === null) planNew(planning, webhook);
    else await planChange(planning, webhook, row);
  });
  for (const row of left)
    if (prune) planDeletion(planning, row);
    else found.kept.push({ kind: 'webhook', name: nameOf(row) });
}

type Asked = Pick<Webhook, 'name' | 'url' | 'kinds' | 'enabled'> & { readonly secret: string | undefined };
type Pair = { readonly webhook: Asked; readonly row: Webhook | null };

/** Each with at most one that is there, the likest first. */
async function paired(asked: readonly Asked[], there: readonly Webhook[]) {
  const pace = createPace();
  const left = [...there];
  const rows = new Map<Asked, Webhook>();
  for (const isLike of LIKENESS)
    for (const webhook of asked) {
      await pace();
      const at = rows.has(webhook) ? -1 : left.findIndex((row) => isLike(webhook, row));
      if (at !== -1) for (const row of left.splice(at, 1)) rows.set(webhook, row);
    }
  const pairs = asked.map((webhook): Pair => ({ webhook, row: rows.get(webhook) ?? null }));
  return { pairs, left };
}

const LIKENESS: readonly ((webhook: Asked, row: Webhook) => boolean)[] = [
  (webhook, row) => fieldsOf(row, webhook).length === 0,
  (webhook, row) => webhook.name === row.name && webhook.url === row.url,
  (webhook, row) => webhook.name !== null && webhook.name === row.name,
  (webhook, row) => webhook.url === row.url,
];

function planNew({ deps, caller, found }: Planning, { secret: given, ...asked }: Asked): void {
  const webhook = { id: newId('whk'), accountId: caller.accountId, ...asked, createdAt: deps.now() };
  const secret = given === undefined ? newWebhookSecret() : new Secret(given);
  const name = nameOf(asked);
  const fields = [...fieldsOf(null, asked), ...(given === undefined ? [] : [SECRET])];
  found.steps.push({
    at: 'write webhooks',
    change: { action: 'create', kind: 'webhook', name, fields },
    run: async () => {
      const { webhooks: most } = deps.settings().limits;
      const isMade = await recordedChange(
        deps,
        caller,
        () => deps.store.webhooks.create({ webhook, secret, most }),
        (made) => made && webhookCreated(webhook),
      );
      if (!isMade) throw tooManyWebhooks(most);
    },
  });
  if (given === undefined) found.secrets.push({ kind: 'webhook', name, secret: secret.reveal() });
}

async function planChange(planning: Planning, { secret, ...asked }: Asked, row: Webhook): Promise<void> {
  const { deps, caller, found } = planning;
  const { accountId } = caller;
  const name = nameOf(asked);
  const settings = fieldsOf(row, asked);
  const rotated = await otherSecret(planning, row, secret);
  const fields = [...settings, ...(rotated === null ? [] : [SECRET])];
  if (fields.length === 0) return void found.unchanged.push({ kind: 'webhook', name });
  const names = new Set(settings.map((field) => field.name));
  const wanted: WebhookSettings = Object.fromEntries(
    Object.entries(asked).filter(([field]) => names.has(field)),
  );
  const judge = webhookJudge(etagOf(webhookVersion(row)));
  const { webhooks } = deps.store;
  found.steps.push({
    at: 'write webhooks',
    change: { action: 'change', kind: 'webhook', name, fields },
    run: async () => {
      if (rotated !== null) {
        const rotation = { secret: rotated, overlapMs: overlapMsOf(DEFAULT_OVERLAP) };
        const after = await recordedChange(
          deps,
          caller,
          () => webhooks.rotate(accountId, row.id, rotation, judge),
          (made) => made !== null && made !== 'full' && webhookSecretRotated(row, DEFAULT_OVERLAP),
        );
        if (after === 'full') throw tooManySecrets();
        if (after === null) throw changedMeanwhile(`webhook ${name}`);
      }
      if (settings.length === 0) return;
      const held = remembering(rotated === null ? judge : undefined);
      const after = await recordedChange(
        deps,
        caller,
        // Its version was held against the plan's before the secret made it another.
        () => webhooks.modify(accountId, row.id, wanted, held.judge),
        (modified) => modified && webhookModified(held.judged(), modified, whatChanges(wanted)),
      );
      if (after === null) throw changedMeanwhile(`webhook ${name}`);
    },
  });
}

function planDeletion({ deps, caller, found }: Planning, row: Webhook): void {
  const judge = webhookJudge(etagOf(webhookVersion(row)));
  found.steps.push({
    at: 'delete webhooks',
    change: { action: 'delete', kind: 'webhook', name: nameOf(row), fields: [] },
    run: async () => {
      const isGone = await recordedChange(
        deps,
        caller,
        () => deps.store.webhooks.remove(caller.accountId, row.id, judge),
        (removed) => removed && webhookDeleted(row),
      );
      if (!isGone) throw changedMeanwhile(`webhook ${nameOf(row)}`);
    },
  });
}

/** What is given, if it is another than the one that signs. Nobody tries secrets who may not set them. */
async function otherSecret(
  { deps, caller, found }: Planning,
  row: Webhook,
  given: string | undefined,
): Promise<Secret | null> {
  if (given === undefined) return null;
  if (!mayChange(caller, 'webhooks')) {
    found.notes.push(`The secret of webhook ${nameOf(row)} is not compared: this key can only read.`);
    return null;
  }
  const [kept] = (await deps.store.webhooks.secrets(caller.accountId, row.id)) ?? [];
  return kept !== undefined && constantTimeEqual(kept.reveal(), given) ? null : new Secret(given);
}

function requireSoundSecret({ secret }: StateWebhook): void {
  if (secret !== undefined && !SECRET_TEXT.test(secret))
    throw inputRefused([{ path: 'secret', message: 'use 24 to 300 printable ASCII characters' }]);
}

function nameOf({ name, url }: Pick<Webhook, 'name' | 'url'>): string {
  return name ?? url;
}

type Shown = Pick<Webhook, 'name' | 'url' | 'kinds' | 'enabled'>;

function fieldsOf(before: Shown | null, { name, url, kinds, enabled }: Shown): readonly StateField[] {
  const after = { name, url, kinds, enabled };
  if (before === null) return differences({}, webhookState(after));
  return differences(
    { name: before.name, url: before.url, kinds: before.kinds, enabled: before.enabled },
    after,
  );
}

const SECRET: StateField = { name: 'secret', secret: true };
/** As strong as a generated one can be typed; nothing that a header or a shell would change. */
const SECRET_TEXT = /^[!-~]{24,300}$/;

// POST /v1/shares: makes a share. It is live when the answer is sent. A reserved share that agents serve is
// made once: asked for again, with settings that it has or with none, it is answered as it is.

import type { NewShare } from '../../wire/share.ts';
import { MAX_ACCOUNT_RULES_CHARACTERS } from '../../domain/access-rule.ts';
import { newId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { type ShareSettings, UNSET_SETTINGS } from '../../domain/share-values.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { etagHeader, problems } from '../answers.ts';
import { authorize } from '../authorize.ts';
import { recordedChange } from '../change-note.ts';
import { prepareCertificateShare } from '../certificates/share.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { type Backend, backendOf, keptShare } from './new.ts';
import { parseNewShareName } from './new-name.ts';
import { requireOpenMeant } from './open.ts';
import { withOwner } from './owner.ts';
import { newShareSchema, shareSchema } from './schema.ts';
import { changeSettings, definitionsNamed, type NamedProvider } from './settings.ts';
import { parseTarget } from './target.ts';
import { shareCreated } from './note.ts';
import { shareObject } from './view.ts';

export const createShare = operation({
  needs: 'shares.serve',
  route: {
    method: 'post',
    path: '/v1/shares',
    operationId: 'createShare',
    summary: 'Create a share',
    description: 'Publishes a backend at its own address. The share is live when the call returns.',
    request: { body: { required: true, content: { 'application/json': { schema: newShareSchema } } } },
    responses: {
      200: {
        description: 'The existing reserved share with that name. It was not changed.',
        headers: etagHeader,
        content: { 'application/json': { schema: shareSchema } },
      },
      201: {
        description: 'The new share, which is live.',
        headers: {
          ...etagHeader,
          Location: { description: 'URL of the new share.', schema: { type: 'string' } },
        },
        content: { 'application/json': { schema: shareSchema } },
      },
      ...problems(
        'provider_unknown',
        'name_taken',
        'limit_reached',
        'rules_too_large',
        'name_reserved',
        'target_refused',
        'needs_tls',
        'share_unprotected',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const input = c.req.valid('json');
    const { shareBase, providersOf } = deps.settings();
    const providers = providersOf(c.get('caller').accountId);
    const caller = c.get('caller');
    const backend = backendOf(input);
    // Making a share that the gateway serves by itself takes more than serving one.
    if (backend.tunnel === null) authorize(caller, 'shares.write');
    const find = () => keptShare(deps.store.shares, caller.accountId, { input, providers });
    const answer = (row: ShareRow, status: 200 | 201) => {
      c.header('etag', etagOf(row));
      return c.json(shareSchema.parse(shareObject(row, shareBase)), status);
    };
    const kept = await find();
    if (kept !== null) return answer(kept, 200);
    const owned = await withOwner(deps.store.members, caller, input);
    const { row, definitions } = await newRow(deps, caller, { input: owned, backend, providers });
    await prepareCertificateShare(deps, { accountId: caller.accountId, change: input, after: row });
    try {
      await storeNewShare(deps, caller, { row, definitions });
    } catch (error) {
      // Of two agents that ask for the same at once, one makes it.
      const other = error instanceof ServiceError && error.code === 'name_taken' ? await find() : null;
      if (other === null) throw error;
      return answer(other, 200);
    }
    await confirmLive(deps);
    c.header('location', `/v1/shares/${row.name}`);
    return answer(row, 201);
  },
});

type Draft = {
  readonly input: NewShare;
  readonly backend: Backend;
  /** Those that it may name. */
  readonly providers: readonly NamedProvider[];
};

/** The share as it would be kept, and the account's own provider that it names, which may go meanwhile. */
export async function newRow(deps: ControlDeps, caller: Caller, { input, backend, providers }: Draft) {
  const settings = deps.settings();
  const at = deps.now();
  const { tunnel } = backend;
  const shareSettings = changeSettings(UNSET_SETTINGS, input, providers);
  const row: ShareRow = {
    id: newId('shr'),
    accountId: caller.accountId,
    name: parseNewShareName(backend.name, settings.shareBase, settings.ownHosts),
    ...shareSettings,
    target:
      backend.target === null
        ? null
        : await parseTarget(backend.target, { ...settings, accountId: caller.accountId }),
    tunnel,
    hosts: [],
    agentSeenAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
  await requireOpenOrTaken(deps, caller, { input, after: shareSettings });
  return { row, definitions: definitionsNamed(input, providers) };
}

type Made = { readonly row: ShareRow; readonly definitions: readonly string[] };

/** Throws what `ShareTable.create()` throws. */
export function storeNewShare(deps: ControlDeps, caller: Caller, { row, definitions }: Made): Promise<void> {
  const { shares: most } = deps.settings().limits;
  const mostRules = MAX_ACCOUNT_RULES_CHARACTERS;
  return recordedChange(
    deps,
    caller,
    () => deps.store.shares.create(row, { definitions, most, mostRules }),
    () => shareCreated(row),
  );
}

type Asked = { readonly input: NewShare; readonly after: ShareSettings };

/**
 * A name that the account has is told as taken: whoever takes a share up again asks for changes, and not for
 * all of it.
 */
async function requireOpenOrTaken(
  { store }: Pick<ControlDeps, 'store'>,
  caller: Caller,
  { input: { name, open }, after }: Asked,
): Promise<void> {
  try {
    requireOpenMeant({ before: null, after, open });
  } catch (error) {
    const kept = name === undefined ? null : await store.shares.find(caller.accountId, name);
    if (kept === null) throw error;
    throw new ServiceError('name_taken', `Cannot create share ${kept.name}: the name is taken`, {
      hint: 'Choose another name, or change that share.',
    });
  }
}

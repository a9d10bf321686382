// PATCH /v1/shares/{share}: changes what is given, leaves the rest. It is live when the answer is sent.

import type { ShareChanges } from '../../wire/share.ts';
import { MAX_ACCOUNT_RULES_CHARACTERS } from '../../domain/access-rule.ts';
import { requireCookieReach } from '../../domain/custom-host.ts';
import { namedProviders } from '../../domain/named-providers.ts';
import type { ServiceError } from '../../domain/service-error.ts';
import type { ShareSettings } from '../../domain/share-values.ts';
import type { ShareChange, ShareRow } from '../../store/shares/share.ts';
import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { prepareCertificateShare } from '../certificates/share.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller, ControlDeps, ControlSettings } from '../control-deps.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { operation } from '../operation.ts';
import { requireOpenMeant } from './open.ts';
import { shareChangesSchema, shareParamsSchema, shareSchema } from './schema.ts';
import { changeSettings, definitionsNamed, type NamedProvider } from './settings.ts';
import { parseTarget } from './target.ts';
import { shareModified } from './note.ts';
import { shareObject } from './view.ts';
import { findShare, unknownShare } from './find.ts';

export const modifyShare = operation({
  needs: 'shares.write',
  route: {
    method: 'patch',
    path: '/v1/shares/{share}',
    operationId: 'modifyShare',
    summary: 'Change a share',
    description:
      'Changes the fields that are sent. The change is live on every gateway within two seconds, including open connections.',
    parameters: [ifMatchParameter],
    request: {
      params: shareParamsSchema,
      body: { required: true, content: { 'application/json': { schema: shareChangesSchema } } },
    },
    responses: {
      200: {
        description: 'The changed share. The change is live.',
        headers: etagHeader,
        content: { 'application/json': { schema: shareSchema } },
      },
      ...problems(
        'share_unknown',
        'provider_unknown',
        'precondition_failed',
        'rules_too_large',
        'target_refused',
        'needs_tls',
        'share_unprotected',
        'host_outside_cookie_domain',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const row = await modify(deps, caller, {
      named: c.req.valid('param').share,
      changes: c.req.valid('json'),
      ifMatch: c.req.header('if-match'),
    });
    await confirmLive(deps);
    c.header('etag', etagOf(row));
    return c.json(shareSchema.parse(shareObject(row, deps.settings().shareBase)), 200);
  },
});

type Modification = {
  readonly named: string;
  readonly changes: ShareChanges;
  readonly ifMatch: string | undefined;
};

async function modify(deps: ControlDeps, caller: Caller, modification: Modification): Promise<ShareRow> {
  const { named, changes } = modification;
  const { accountId } = caller;
  const seen = await findShare(deps.store.shares, accountId, named);
  const providers = deps.settings().providersOf(accountId);
  const prepared = await prepareChange(deps, { seen, modification, providers });
  await prepareCertificateShare(deps, { accountId, change: changes, after: prepared.after });
  return prepared.commit(caller);
}

type Preparation = {
  readonly seen: ShareRow;
  readonly modification: Modification;
  /** Those that it may name. */
  readonly providers: readonly NamedProvider[];
};

type PreparedChange = {
  /** What becomes of the share that was seen. */
  readonly after: ShareChange;
  /** Throws `share_unknown`, and what judging throws of the share as it is by then. */
  readonly commit: (caller: Caller) => Promise<ShareRow>;
};

/** What takes time is asked before; then the share is judged as it is, while nobody else can change it. */
export async function prepareChange(
  deps: ControlDeps,
  { seen, modification, providers }: Preparation,
): Promise<PreparedChange> {
  const { named, changes } = modification;
  const settings = deps.settings();
  const judge = (share: ShareRow) => settingsAfter(share, modification, { settings, providers });
  const judged = judge(seen);
  const by = { ...settings, accountId: seen.accountId };
  const target = changes.target === undefined ? {} : { target: await parseTarget(changes.target, by) };
  const withTarget = (after: ShareSettings) => ({ ...after, ...(after.behind ? { target: null } : target) });
  const commit = (caller: Caller) =>
    commitChange(deps, caller, {
      named,
      seen,
      become: (share) => withTarget(judge(share)),
      room: {
        definitions: definitionsNamed(changes, providers),
        ...(saysRules(changes) ? { mostRules: MAX_ACCOUNT_RULES_CHARACTERS } : {}),
      },
    });
  return { after: { target: seen.target, ...withTarget(judged) }, commit };
}

type Commit = {
  readonly named: string;
  readonly seen: ShareRow;
  /** What becomes of the share as it is by then. */
  readonly become: (share: ShareRow) => Partial<ShareChange>;
  /** What the store asks of the account where it writes. */
  readonly room: { readonly definitions: readonly string[]; readonly mostRules?: number };
};

async function commitChange(
  deps: ControlDeps,
  caller: Caller,
  { named, seen, become, room }: Commit,
): Promise<ShareRow> {
  // As it is when it is changed, which may not be as it was seen.
  let before = seen;
  const change = {
    accountId: seen.accountId,
    id: seen.id,
    settings: (share: ShareRow) => {
      before = share;
      return become(share);
    },
    ...room,
    at: deps.now(),
  };
  const row = await recordedChange(
    deps,
    caller,
    () => deps.store.shares.modify(change),
    (after) => after && shareModified(before, after),
  );
  if (row === null) throw unknownShare(named);
  return row;
}

/** Whether it may add to what the account's shares have of rules. */
function saysRules(changes: ShareChanges): boolean {
  const { rules, oauthEmailAddressPatterns, allowGroups, allowPaths, allowAddresses, denyEmails } = changes;
  return [rules, oauthEmailAddressPatterns, allowGroups, allowPaths, allowAddresses, denyEmails].some(
    (list) => list !== undefined && list.length > 0,
  );
}

type Ground = { readonly settings: ControlSettings; readonly providers: readonly NamedProvider[] };

/**
 * All but the target. Throws `precondition_failed`, `host_outside_cookie_domain`, `share_unprotected`, and
 * what `changeSettings` throws.
 */
function settingsAfter(
  share: ShareRow,
  { changes, ifMatch }: Modification,
  { settings, providers }: Ground,
): ShareSettings {
  checkIfMatch(ifMatch, share);
  requireOneBackend(share, changes);
  const namesProvider = namedProviders({
    oauthProvider: changes.oauthProvider ?? null,
    rules: changes.rules ?? [],
  });
  if (namesProvider.length > 0)
    for (const host of share.hosts)
      requireCookieReach(host, { ...settings.shareBase, cookieDomain: settings.cookieDomain });
  const after = changeSettings(share, changes, providers);
  requireOpenMeant({ before: share, after, open: changes.open });
  return after;
}

/**
 * An app is behind a proxy, or there is a target, or agents choose one. Throws `validation_failed` for a
 * change that leaves none of them, or two.
 */
function requireOneBackend(
  { tunnel, behind: before }: Pick<ShareRow, 'tunnel' | 'behind'>,
  { target, behind = before }: ShareChanges,
): void {
  if (tunnel !== null && (target !== undefined || behind))
    throw refused(behind ? 'behind' : 'target', 'agents serve this share and choose its backend');
  if (behind && target !== undefined)
    throw refused('target', 'a share behind your own proxy has no target; send behind: false with it');
  if (before && !behind && target === undefined)
    throw refused('behind', 'without it the share needs a target');
}

function refused(path: string, message: string): ServiceError {
  return inputRefused([{ path, message }]);
}

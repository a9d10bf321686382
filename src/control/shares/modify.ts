// PATCH /v1/shares/{share}: changes what is given, leaves the rest. It is live when the answer is sent.

import type { ShareChanges } from '../../wire/share.ts';
import { requireCookieReach } from '../../domain/custom-host.ts';
import { namedProviders } from '../../domain/named-providers.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import type { ShareSettings } from '../../domain/share-values.ts';
import type { ShareRow } from '../../store/shares/share.ts';
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
import { changeSettings, definitionsNamed } from './settings.ts';
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

/** What takes time is asked before; then the share is judged as it is, while nobody else can change it. */
async function modify(deps: ControlDeps, caller: Caller, modification: Modification): Promise<ShareRow> {
  const { named, changes } = modification;
  const { accountId } = caller;
  const seen = await findShare(deps.store.shares, accountId, named);
  const settings = deps.settings();
  const providers = settings.providersOf(accountId);
  const judge = (share: ShareRow) => settingsAfter(share, modification, { settings, providers });
  await prepareCertificateShare(deps, { accountId, change: changes, after: judge(seen) });
  const target = changes.target === undefined ? {} : { target: await parseTarget(changes.target, settings) };
  // As it is when it is changed, which may not be as it was seen.
  let before = seen;
  const change = {
    accountId,
    id: seen.id,
    settings: (share: ShareRow) => {
      before = share;
      return { ...judge(share), ...target };
    },
    definitions: definitionsNamed(changes, providers),
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

type Ground = { readonly settings: ControlSettings; readonly providers: readonly ProviderRef[] };

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
  if (changes.target !== undefined && share.tunnel !== null)
    throw inputRefused([{ path: 'target', message: 'agents serve this share and choose its backend' }]);
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

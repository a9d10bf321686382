// PATCH /v1/shares/{share}: changes what is given, leaves the rest. It is live when the answer is sent.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import type { ShareChanges } from '../../client/share-object.ts';
import { requireCookieReach } from '../../domain/custom-host.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ShareRow } from '../../store/store.ts';
import { etagHeader, ifMatchParameter, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { noteChange } from '../change-note.ts';
import { prepareCertificateShare } from '../certificate-share.ts';
import { confirmLive } from '../confirm-live.ts';
import type { Caller, ControlDeps, ControlEnv, ControlSettings } from '../control-deps.ts';
import { checkIfMatch, etagOf } from '../etag.ts';
import { inputRefused } from '../input-fault.ts';
import { shareChangesSchema, shareParamsSchema, shareSchema } from '../share-schema.ts';
import { changeSettings, definitionNamed } from '../share-settings.ts';
import { parseTarget } from '../share-target.ts';
import { shareNote } from '../share-note.ts';
import { shareObject } from '../share-view.ts';
import { findShare, unknownShare } from './find-share.ts';

export const modifyShareRoute = createRoute({
  method: 'patch',
  path: '/v1/shares/{share}',
  operationId: 'modifyShare',
  summary: 'Change a share',
  ...needs('shares.write'),
  parameters: [ifMatchParameter],
  request: {
    params: shareParamsSchema,
    body: { required: true, content: { 'application/json': { schema: shareChangesSchema } } },
  },
  responses: {
    200: {
      description: 'The share as it is now. The change is live.',
      headers: etagHeader,
      content: { 'application/json': { schema: shareSchema } },
    },
    ...problems(
      'share_unknown',
      'provider_unknown',
      'precondition_failed',
      'target_refused',
      'needs_tls',
      'host_outside_cookie_domain',
      'body_too_large',
      'unsupported_media_type',
    ),
  },
});

export function modifyShare(deps: ControlDeps): RouteHandler<typeof modifyShareRoute, ControlEnv> {
  return async (c) => {
    const caller = c.get('caller');
    const row = await modify(deps, caller, {
      named: c.req.valid('param').share,
      changes: c.req.valid('json'),
      ifMatch: c.req.header('if-match'),
    });
    await noteChange(deps, caller, shareNote('share.modified', row));
    await confirmLive(deps);
    c.header('etag', etagOf(row));
    return c.json(shareSchema.parse(shareObject(row, deps.settings().shareBase)), 200);
  };
}

type Modification = {
  readonly named: string;
  readonly changes: ShareChanges;
  readonly ifMatch: string | undefined;
};

/** Judged against the share as it is, so it is written only onto that version; without If-Match it is judged again. */
async function modify(deps: ControlDeps, caller: Caller, modification: Modification): Promise<ShareRow> {
  const { named, changes, ifMatch } = modification;
  for (let attempt = 1; ; attempt++) {
    const before = await findShare(deps.store.shares, caller.accountId, named);
    checkIfMatch(ifMatch, before);
    const settings = deps.settings();
    const providers = settings.providersOf(caller.accountId);
    const after = {
      ...changeSettings(before, changes, providers),
      target: await changedTarget(before, changes, settings),
    };
    await prepareCertificateShare(deps, { accountId: caller.accountId, change: changes, after });
    if (typeof changes.oauthProvider === 'string')
      for (const host of before.hosts) requireCookieReach(host, settings.cookieDomain);
    try {
      const row = await deps.store.shares.modify({
        accountId: caller.accountId,
        name: before.name,
        expectedVersion: before.version,
        settings: after,
        definition: definitionNamed(changes.oauthProvider, providers),
        at: deps.now(),
      });
      if (row === null) throw unknownShare(named);
      return row;
    } catch (error) {
      const conflict = error instanceof ServiceError && error.code === 'precondition_failed';
      if (!conflict || ifMatch !== undefined || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Throws what `parseTarget` throws, and `validation_failed` for a share that agents serve: it stays one. */
async function changedTarget(
  before: ShareRow,
  { target }: ShareChanges,
  settings: ControlSettings,
): Promise<string | null> {
  if (target === undefined) return before.target;
  if (before.tunnel !== null)
    throw inputRefused([
      { path: 'target', message: 'agents serve this share: what it reaches is theirs to say' },
    ]);
  return parseTarget(target, settings);
}

/** Many writers on one share at once: each round one of them wins, and a crowd beyond this is told to come again. */
const MAX_ATTEMPTS = 10;

// POST /v1/shares: makes a share. It is live when the answer is sent.

import { createRoute, type RouteHandler } from '@hono/zod-openapi';
import { newId } from '../../domain/id.ts';
import type { ShareRow } from '../../store/store.ts';
import { etagHeader, problems } from '../answers.ts';
import { needs } from '../authorize.ts';
import { noteChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import { etagOf } from '../etag.ts';
import { parseNewShareName } from '../new-share-name.ts';
import { newShareSchema, shareSchema } from '../share-schema.ts';
import { changeSettings, definitionNamed, OPEN_SHARE } from '../share-settings.ts';
import { parseTarget } from '../share-target.ts';
import { shareNote } from '../share-note.ts';
import { shareObject } from '../share-view.ts';

export const createShareRoute = createRoute({
  method: 'post',
  path: '/v1/shares',
  operationId: 'createShare',
  summary: 'Make a share',
  ...needs('shares.write'),
  request: { body: { required: true, content: { 'application/json': { schema: newShareSchema } } } },
  responses: {
    201: {
      description: 'The share. It is live.',
      headers: { ...etagHeader, Location: { description: 'Its address here.', schema: { type: 'string' } } },
      content: { 'application/json': { schema: shareSchema } },
    },
    ...problems(
      'provider_unknown',
      'name_taken',
      'name_reserved',
      'target_refused',
      'body_too_large',
      'unsupported_media_type',
    ),
  },
});

export function createShare(deps: ControlDeps): RouteHandler<typeof createShareRoute, ControlEnv> {
  return async (c) => {
    const input = c.req.valid('json');
    const settings = deps.settings();
    const caller = c.get('caller');
    const at = deps.now();
    const providers = settings.providersOf(caller.accountId);
    const row: ShareRow = {
      id: newId('shr'),
      accountId: caller.accountId,
      name: parseNewShareName(input.name, settings.shareBase, settings.ownHosts),
      ...changeSettings(OPEN_SHARE, input, providers),
      target: await parseTarget(input.target, settings),
      hosts: [],
      version: 1,
      createdAt: at,
      updatedAt: at,
    };
    await deps.store.shares.create(row, definitionNamed(input.oauthProvider, providers));
    await noteChange(deps, caller, shareNote('share.created', row));
    await confirmLive(deps);
    c.header('location', `/v1/shares/${row.name}`);
    c.header('etag', etagOf(row));
    return c.json(shareSchema.parse(shareObject(row, settings.shareBase)), 201);
  };
}

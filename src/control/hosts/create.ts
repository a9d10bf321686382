// POST /v1/hosts: claims a host name for a share. It is active at once when the operator has granted it to
// the account, else once it is verified; until then it is nobody's.

import { parseCustomHost, requireCookieReach } from '../../domain/custom-host.ts';
import { newId } from '../../domain/id.ts';
import { namedProviders } from '../../domain/named-providers.ts';
import { etagHeader, problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { confirmLive } from '../confirm-live.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { hostObject, hostSchema, hostVersion, newHostSchema } from './schema.ts';
import { proveIfGranted } from './prove.ts';
import { findHost } from './find.ts';
import { findShare } from '../shares/find.ts';
import { hostClaimed } from './note.ts';

export const createHost = operation({
  needs: 'shares.write',
  route: {
    method: 'post',
    path: '/v1/hosts',
    operationId: 'createHost',
    summary: 'Claim a host for a share',
    description: 'Claims a custom host for a share. The share answers there once the host is verified.',
    request: { body: { required: true, content: { 'application/json': { schema: newHostSchema } } } },
    responses: {
      201: {
        description:
          'The host, with the DNS record that verifies it. If the operator granted the host, it is active.',
        headers: {
          ...etagHeader,
          Location: { description: 'URL of the new host.', schema: { type: 'string' } },
        },
        content: { 'application/json': { schema: hostSchema } },
      },
      ...problems(
        'share_unknown',
        'host_unknown',
        'host_refused',
        'host_outside_cookie_domain',
        'host_taken',
        'too_many_hosts',
        'limit_reached',
        'precondition_failed',
        'body_too_large',
        'unsupported_media_type',
      ),
    },
  },
  make: (deps) => async (c) => {
    const input = c.req.valid('json');
    const { accountId } = c.get('caller');
    const { hosts, shares } = deps.store;
    const { shareBase, ownHosts, cookieDomain, limits } = deps.settings();
    const share = await findShare(shares, accountId, input.share);
    const host = parseCustomHost(input.host, { base: shareBase, ownHosts });
    if (namedProviders(share).length > 0) requireCookieReach(host, { ...shareBase, cookieDomain });
    const claim = { id: newId('hst'), accountId, shareId: share.id, host, createdAt: deps.now() };
    await recordedChange(
      deps,
      c.get('caller'),
      () => hosts.claim({ ...claim, most: MOST_HOSTS, mostOfAccount: limits.hosts }),
      () => hostClaimed({ ...claim, shareName: share.name }),
    );
    const row = await proveIfGranted(deps, c.get('caller'), await findHost(hosts, accountId, claim.id));
    if (row.proof !== null) await confirmLive(deps);
    c.header('etag', etagOf(hostVersion(row)));
    c.header('location', `/v1/hosts/${row.host}`);
    return c.json(hostSchema.parse(hostObject(row)), 201);
  },
});

/** What one share can sensibly have: its list is sent to every gateway. */
export const MOST_HOSTS = 20;

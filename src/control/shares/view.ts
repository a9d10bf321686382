// A stored share as the two readers see it: the API's callers and the data plane.

import type { ShareObject } from '../../wire/share.ts';
import type { ShareBase } from '../../config/config.ts';
import { formatDuration } from '../../domain/duration.ts';
import { isWithinDomain } from '../../domain/host-name.ts';
import { isOpenToEveryone } from '../../domain/open-share.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { DEFAULT_CHECK_INTERVAL_MS, type Share } from '../../domain/share.ts';
import { shareHost, shareOrigin } from '../../domain/share-name.ts';
import type { ShareRow } from '../../store/shares/share.ts';

/** DESIGN 2.5. */
export function shareObject(row: ShareRow, base: ShareBase): ShareObject {
  return {
    id: row.id,
    name: row.name,
    url: shareOrigin(row.name, base),
    target: row.target,
    tunnel: row.tunnel,
    hosts: [shareHost(row.name, base), ...row.hosts],
    oauthProvider: row.oauthProvider,
    oauthEmailAddressPatterns: row.oauthEmailAddressPatterns,
    oauthCheckInterval: row.oauthCheckIntervalMs === null ? null : formatDuration(row.oauthCheckIntervalMs),
    clientCertificate: row.clientCertificate === null ? null : { required: true, ...row.clientCertificate },
    open: isOpenToEveryone(row),
    access: row.access,
    allowOrigins: row.allowOrigins,
    enabled: row.enabled,
    agentSeenAt: row.agentSeenAt === null ? null : new Date(row.agentSeenAt).toISOString(),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/**
 * A share whose provider is not there (any more) keeps its login, with a null provider: the gate fails closed. Hosts of its own
 * are held against the configuration of now, which may have changed since it got them: with a login it answers at none that
 * the session cookie does not reach, and never at the name of another share.
 */
export function routedShare(
  row: ShareRow,
  { base, cookieDomain }: { readonly base: ShareBase; readonly cookieDomain: string },
  providerRef: (name: string) => ProviderRef | null,
): Share {
  return {
    id: row.id,
    accountId: row.accountId,
    name: row.name,
    hosts: [
      shareHost(row.name, base),
      ...row.hosts.filter(
        (host) =>
          !isWithinDomain(host, base.domain) &&
          (row.oauthProvider === null || isWithinDomain(host, cookieDomain)),
      ),
    ],
    target: row.target,
    enabled: row.enabled,
    login:
      row.oauthProvider === null
        ? null
        : {
            providerName: row.oauthProvider,
            provider: providerRef(row.oauthProvider),
            emailPatterns: row.oauthEmailAddressPatterns,
            checkIntervalMs: row.oauthCheckIntervalMs ?? DEFAULT_CHECK_INTERVAL_MS,
          },
    clientCertificate: row.clientCertificate,
    access: row.access,
    allowOrigins: row.allowOrigins,
  };
}

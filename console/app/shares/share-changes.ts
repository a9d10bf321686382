// What a form says of a share, as changes of it: only what differs is sent, so that what somebody else set stays.

import type { ShareChanges, ShareObject } from '../../../src/wire/share.ts';

/** Those of the wanted settings that the share does not have yet; null when it has them all. */
export function changesOf(share: ShareObject, wanted: ShareChanges): ShareChanges | null {
  const now = settingsOf(share);
  const entries = Object.entries(wanted).filter(
    ([name, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(now[name as keyof typeof now]),
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** The share as it would be: for showing, before it is sent. */
export function withChanges(share: ShareObject, changes: ShareChanges): ShareObject {
  const { clientCertificate: certificate = null, ...now } = { ...settingsOf(share), ...changes };
  const clientCertificate =
    certificate === null || certificate.required === false
      ? null
      : { required: true as const, subject: certificate.subject ?? null, unit: certificate.unit ?? null };
  const open = now.oauthProvider === null && clientCertificate === null;
  const wanted = { ...share, ...now, clientCertificate, open } as ShareObject;
  if (wanted.oauthProvider === null)
    return { ...wanted, oauthEmailAddressPatterns: [], oauthCheckInterval: null, access: 'all' };
  return {
    ...wanted,
    oauthCheckInterval: wanted.oauthCheckInterval ?? DEFAULT_CHECK_INTERVAL,
    access: clientCertificate === null ? 'all' : wanted.access,
  };
}

/** What people type, a line or a word each. */
export function listOf(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

function settingsOf(share: ShareObject) {
  const { target, oauthProvider, oauthEmailAddressPatterns, oauthCheckInterval, access, open } = share;
  const { clientCertificate, allowOrigins, enabled } = share;
  return {
    ...(target === null ? {} : { target }),
    oauthProvider,
    oauthEmailAddressPatterns,
    oauthCheckInterval,
    clientCertificate,
    open,
    access,
    allowOrigins,
    enabled,
  };
}

/** Contract 2.3. */
export const DEFAULT_CHECK_INTERVAL = '3h';

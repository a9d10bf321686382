// Who gets in at a share, as a form holds it, and as the API takes it.

import type { ShareChanges, ShareObject } from '../../../src/wire/share.ts';
import { listOf } from './share-changes.ts';

export type Admission = {
  /** Empty for no login. */
  readonly provider: string;
  /** One a line. */
  readonly patterns: string;
  readonly interval: string;
  readonly certificate: boolean;
  readonly subject: string;
  readonly unit: string;
  readonly access: ShareObject['access'];
  /** Somebody said that everyone may open it. It counts where nothing else is asked for. */
  readonly open: boolean;
};

export const NEW_ADMISSION: Admission = {
  provider: '',
  patterns: '',
  interval: '',
  certificate: false,
  subject: '',
  unit: '',
  access: 'all',
  open: false,
};

export function admissionOf(share: ShareObject): Admission {
  return {
    provider: share.oauthProvider ?? '',
    patterns: share.oauthEmailAddressPatterns.join('\n'),
    interval: share.oauthCheckInterval ?? '',
    certificate: share.clientCertificate !== null,
    subject: share.clientCertificate?.subject ?? '',
    unit: share.clientCertificate?.unit ?? '',
    access: share.access,
    open: share.open,
  };
}

export function admissionChanges({ provider, patterns, interval, ...rest }: Admission): ShareChanges {
  const { certificate, subject, unit, access, open } = rest;
  return {
    oauthProvider: provider === '' ? null : provider,
    oauthEmailAddressPatterns: provider === '' ? [] : listOf(patterns),
    oauthCheckInterval: provider === '' || interval.trim() === '' ? null : interval.trim(),
    clientCertificate: certificate
      ? { required: true, subject: subject.trim() || null, unit: unit.trim() || null }
      : null,
    access: certificate && provider !== '' ? access : 'all',
    ...(open && !certificate && provider === '' ? { open } : {}),
  };
}

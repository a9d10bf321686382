// A share of a test's as the API takes it: with the word that it is open to everyone, where it is.

import { isOpenToEveryone } from '../../src/domain/open-share.ts';
import type { NewShare } from '../../src/wire/share.ts';

export function openUnlessProtected(share: NewShare): NewShare {
  const { oauthProvider = null, clientCertificate = null, rules = [] } = share;
  const certificate = clientCertificate?.required === true ? { subject: null, unit: null } : null;
  const isOpen = isOpenToEveryone({ oauthProvider, clientCertificate: certificate, rules });
  return isOpen ? { ...share, open: true } : share;
}

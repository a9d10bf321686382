// A share of a test's as the API takes it: open to everyone where the test asks for neither a login nor a
// certificate, and has no rules.

import type { NewShare } from '../../src/wire/share.ts';

export function openUnlessProtected(share: NewShare): NewShare {
  const isProtected =
    (share.oauthProvider ?? null) !== null ||
    share.clientCertificate?.required === true ||
    (share.rules ?? []).length > 0;
  return isProtected ? share : { ...share, open: true };
}

// A change of a member is made onto what the page showed: what somebody else did meanwhile is said first, and
// never lost.

import type { MemberObject } from '../../../src/wire/member.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { client } from '../api/client.ts';

/** For `If-Match`. Throws `precondition_failed` when the member is not what was shown any more. */
export async function versionAsSeen({
  id,
  email,
  role,
  state,
}: MemberObject): Promise<{ readonly ifMatch: string }> {
  const { value, etag } = await client.members.read(id);
  if (value.role === role && value.state === state) return { ifMatch: etag };
  const now = value.state === state ? `made them ${value.role}` : 'they are already active';
  throw new ServiceError('precondition_failed', `Nothing was done: ${email} was changed meanwhile; ${now}.`, {
    hint: 'Close this dialog, check the list again, and repeat the change if it is still needed.',
  });
}

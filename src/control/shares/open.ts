// Nothing is open to everyone by mistake: a share without a login and without a client certificate is made,
// the last of them is taken away, and a rule lets in everyone whatever they ask for, by an explicit word
// alone. Shares that are open already stay as they are.

import { isOpenToEveryone, openingRule, type Protections } from '../../domain/open-share.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { inputRefused } from '../input-fault.ts';

export type OpenChange = {
  /** Null for a share that is being made. */
  readonly before: Protections | null;
  readonly after: Protections;
  /** The word. */
  readonly open: boolean | undefined;
};

/**
 * Throws `share_unprotected` without the word, and `validation_failed` for the word where it does not hold.
 */
export function requireOpenMeant({ before, after, open }: OpenChange): void {
  if (!isOpenToEveryone(after)) {
    if (open === true)
      throw inputRefused([
        {
          path: 'open',
          message:
            'the share requires a login or a client certificate, or has rules; remove that, or leave out open',
        },
      ]);
    return;
  }
  if (open === true || (before !== null && isOpenToEveryone(before))) return;
  const verb = before === null ? 'create' : 'change';
  const opening = openingRule(after.rules);
  if (opening !== null)
    throw new ServiceError(
      'share_unprotected',
      `Cannot ${verb} the share: rule ${opening} allows everyone without another condition, so it is open to everyone`,
      {
        hint:
          'Add a condition to that rule, such as paths, ' +
          'or confirm that everyone can open the share (--open, or "open": true).',
      },
    );
  throw new ServiceError(
    'share_unprotected',
    `Cannot ${verb} the share: without a login or a client certificate, it is open to everyone`,
    {
      hint:
        'Name a provider that visitors log in with (--oauth-provider NAME, or "oauthProvider"), ' +
        'or confirm that everyone can open it (--open, or "open": true).',
    },
  );
}

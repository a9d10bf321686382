// An invitation that was just made: the link, and what to send. It is shown this once.

import type { InvitedMember } from '../../../src/wire/member.ts';
import { mailLink } from '../parts/mail-link.ts';
import { ShownOnce } from '../parts/shown-once.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useMember } from '../shell/session-context.ts';
import { invitationText } from './invitation-text.ts';

type InvitationProps = { readonly made: InvitedMember; readonly close: () => void };

export function Invitation({ made: { member, invitation }, close }: InvitationProps) {
  const { account } = useMember();
  const body = invitationText({ account: account.name, url: invitation.url, until: invitation.expiresAt });
  return (
    <ShownOnce
      title={`Invitation for ${member.email}`}
      text={invitation.url}
      label="the invitation"
      close={close}
    >
      <p>
        It is valid for one login and expires <Moment at={invitation.expiresAt} />. Whoever logs in with it
        becomes this member, so send it over a secure channel.
      </p>
      <p>
        <a
          className="button"
          href={mailLink({ to: member.email, subject: `You are invited to ${account.name}`, body })}
        >
          Write an email
        </a>
      </p>
    </ShownOnce>
  );
}

// Members as people read them.

import type { InvitedMember, MemberObject } from '../../wire/member.ts';
import { alignedRows, tableText } from '../columns.ts';
import { plain, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function memberTable(members: readonly MemberObject[], terminal: Pick<Terminal, 'width'>): string {
  return tableText(
    [
      ['EMAIL', 'ROLE', 'STATE', 'PROVIDER', 'LAST LOGIN', 'ID'],
      ...members.map((member) => [
        member.email,
        member.role,
        stateText(member),
        member.provider ?? '-',
        member.lastLoginAt === null ? 'never' : minuteText(member.lastLoginAt),
        member.id,
      ]),
    ],
    terminal,
  );
}

/** The address alone on standard output, so that it can be sent on. */
export function tellInvitation(terminal: Terminal, { member, invitation }: InvitedMember): void {
  terminal.out(`${plain(invitation.url)}\n`);
  terminal.err(
    `\n${alignedRows([
      ['email', member.email],
      ['role', member.role],
      ['valid until', minuteText(invitation.expiresAt)],
    ])}\nThis is the invitation, shown only once and valid for one login. Send it over a channel that others cannot read.\n`,
  );
}

function stateText({ state, invitedUntil }: MemberObject): string {
  return invitedUntil === null ? state : `${state}, invitation open until ${minuteText(invitedUntil)}`;
}

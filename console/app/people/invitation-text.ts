// What to send with an invitation.

import { minuteText } from '../../../src/domain/minute-text.ts';

type InvitationText = { readonly account: string; readonly url: string; readonly until: string };

export function invitationText({ account, url, until }: InvitationText): string {
  return `You are invited to manage "${account}" at Doorward. Open this link and log in:

  ${url}

It is valid for one login, until ${minuteText(Date.parse(until))}. Do not share it: whoever logs in with it first becomes you here.
`;
}

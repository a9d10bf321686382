// GET /auth/invitation and its files: where an invitation is accepted. It comes in the fragment of the link,
// and the page posts it; nobody is led through it unasked, for nothing happens before a button is pressed.

import { responseOf } from '../answer-response.ts';
import type { ControlApi, ControlDeps } from '../control-deps.ts';
import { scriptedPage } from '../scripted-page/scripted-page.ts';

export function addInvitationPage(api: ControlApi, { settings }: Pick<ControlDeps, 'settings'>): void {
  api.get(INVITATION_PATH, () => responseOf(page(settings().console.brand)));
  for (const { path, answer } of files) api.get(path, () => responseOf(answer()));
}

export const INVITATION_PATH = '/auth/invitation';
const { page, files } = scriptedPage({
  folder: 'invitation',
  files: `${INVITATION_PATH}/files`,
  title: 'Accept your invitation',
  hasStyle: false,
});

// The page where an invitation is accepted: it comes in the link's fragment, leaves the address bar at once,
// and is posted, in no address ever. Nothing begins before a button is pressed: another site may have led
// here.

import { element, part, say, show } from '../scripted-page/page-parts.ts';
import { clearProblem, showProblem } from '../scripted-page/problem.ts';
import { takeFragment } from '../scripted-page/fragment.ts';
import { ask, type InvitedWay } from './ask.ts';

/** What the page is about: another link may be opened while it asks. */
let current = '';

async function start(): Promise<void> {
  const invitation = takeFragment();
  current = invitation;
  clearProblem();
  show('choice', false);
  if (invitation === '') return showProblem(NO_INVITATION);
  say('status', 'One moment…');
  const answer = await ask({ invitation });
  if (current !== invitation) return;
  say('status', '');
  if (answer.kind === 'refused') return showProblem(answer.advice, answer.requestId);
  const buttons = answer.providers.map((way) => {
    const button = element('button', `Log in with ${labelOf(way, answer.providers)}`);
    button.className = 'primary';
    button.addEventListener('click', () => void logIn(invitation, way.name));
    return button;
  });
  part('providers', HTMLElement).replaceChildren(...buttons);
  show('choice', true);
}

/** Two that look the same are told apart by what is theirs alone. */
function labelOf({ name, displayName }: InvitedWay, ways: readonly InvitedWay[]): string {
  const isOnlyOne = ways.filter((way) => way.displayName === displayName).length === 1;
  return isOnlyOne ? displayName : `${displayName} (${name})`;
}

async function logIn(invitation: string, provider: string): Promise<void> {
  clearProblem();
  say('status', 'One moment…');
  const answer = await ask({ invitation, provider });
  say('status', '');
  if (answer.kind === 'refused') showProblem(answer.advice, answer.requestId);
  else if (answer.url !== null) location.assign(answer.url);
}

const NO_INVITATION = {
  title: 'This address contains no invitation',
  text: 'Open the complete link that you were sent.',
};

// A second link opened in the same tab changes the fragment alone.
addEventListener('hashchange', () => {
  if (location.hash !== '') void start();
});
void start();

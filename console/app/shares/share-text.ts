// Shares in words.

import type { ShareObject } from '../../../src/client/share-object.ts';

export function targetText({ target, tunnel }: ShareObject): string {
  if (target !== null) return target;
  return tunnel === 'ephemeral' ? 'an agent, while it runs' : 'agents, through tunnels';
}

export function loginText({ oauthProvider, oauthEmailAddressPatterns }: ShareObject): string {
  if (oauthProvider === null) return 'anybody';
  const [first, ...others] = oauthEmailAddressPatterns;
  if (first === undefined) return `anybody with an account at ${oauthProvider}`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${first}${more}, by ${oauthProvider}`;
}

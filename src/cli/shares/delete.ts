// `doorward share delete NAME`: its sessions end with it.

import { deletion } from '../delete-command.ts';

export const addShareDelete = deletion({
  description: 'delete a share and end its sessions',
  examples: ['doorward share delete wiki', 'doorward share delete wiki --yes'],
  argument: ['name', 'the share’s name or id'],
  what: (named) => `the share ${named} and end its sessions`,
  remove: ({ shares }, named) => shares.remove(named),
  effect: ". The name stays your account's.",
});

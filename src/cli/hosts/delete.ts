// `doorward host delete HOST`.

import { deletion } from '../delete-command.ts';

export const addHostDelete = deletion({
  description: 'give a host up; its share answers there no more',
  examples: ['doorward host delete app.example.com'],
  argument: ['host', 'the host or its id'],
  what: (named) => `the host ${named}, so that no share of yours answers there`,
  remove: ({ hosts }, named) => hosts.remove(named),
  effect: '. No share of yours answers there any more.',
});

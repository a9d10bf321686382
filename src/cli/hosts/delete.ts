// `doorward host delete HOST`.

import { deletion } from '../delete-command.ts';

export const addHostDelete = deletion({
  description: 'release a host; its share stops answering there',
  examples: ['doorward host delete app.example.com'],
  argument: ['host', 'the host or its id'],
  what: (named) => `the host ${named}, so that your share stops answering there`,
  remove: ({ hosts }, named) => hosts.remove(named),
  effect: '. Your share no longer answers there.',
});

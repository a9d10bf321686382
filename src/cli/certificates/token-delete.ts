// `doorward cert token delete TOKEN`: by its id; it is good for nothing from now on.

import { deletion } from '../delete-command.ts';

export const addCertTokenDelete = deletion({
  description: 'delete a token; a certificate that was issued for it stays',
  examples: ['doorward cert token delete crq_8k2m5p7r9t3w6y8a'],
  argument: ['token', 'its id (crq_…)'],
  what: (named) => `the certificate request token ${named}`,
  remove: ({ certificates }, named) => certificates.removeToken(named),
});

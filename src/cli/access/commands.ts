// `doorward access`, in the order of its help.

import { noun } from '../command.ts';
import { addAccessDismiss } from './dismiss.ts';
import { addAccessGrant } from './grant.ts';
import { addAccessList } from './list.ts';

export const addAccessCommands = noun('access', 'requests for access: people who want to be let in', [
  addAccessList,
  addAccessGrant,
  addAccessDismiss,
]);

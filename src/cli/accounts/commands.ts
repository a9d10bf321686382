// `doorward account`, in the order of its help.

import { noun } from '../command.ts';
import { addAccountCreate } from './create.ts';
import { addAccountHost } from './host.ts';
import { addAccountKey } from './key.ts';
import { addAccountList } from './list.ts';
import { addAccountShow } from './show.ts';
import { addAccountResume, addAccountSuspend } from './suspend.ts';

export const addAccountCommands = noun('account', 'accounts (on the machine of the service)', [
  addAccountCreate,
  addAccountList,
  addAccountShow,
  addAccountSuspend,
  addAccountResume,
  addAccountKey,
  addAccountHost,
]);

// `doorward host`, in the order of its help.

import { noun } from '../command.ts';
import { addHostCreate } from './create.ts';
import { addHostDelete } from './delete.ts';
import { addHostList } from './list.ts';
import { addHostShow, addHostVerify } from './show.ts';

export const addHostCommands = noun('host', 'your own host names that shares answer at', [
  addHostCreate,
  addHostList,
  addHostShow,
  addHostVerify,
  addHostDelete,
]);

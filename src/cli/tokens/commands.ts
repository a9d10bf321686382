// `doorward token`, in the order of its help.

import { noun } from '../command.ts';
import { addTokenCreate } from './create.ts';
import { addTokenDelete } from './delete.ts';
import { addTokenList } from './list.ts';
import { addTokenShow } from './show.ts';

export const addTokenCommands = noun('token', 'service tokens: programs open shares with them', [
  addTokenCreate,
  addTokenList,
  addTokenShow,
  addTokenDelete,
]);

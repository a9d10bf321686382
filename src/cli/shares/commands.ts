// `doorward share`, in the order of its help.

import { noun } from '../command.ts';
import { addShareCreate } from './create.ts';
import { addShareDelete } from './delete.ts';
import { addShareList } from './list.ts';
import { addShareModify } from './modify.ts';
import { addSharePublic } from './public.ts';
import { addShareRequests } from './requests.ts';
import { addShareShow } from './show.ts';
import { addShareTest } from './try.ts';
import { addShareWho } from './who.ts';

export const addShareCommands = noun('share', 'published addresses and what they reach', [
  addSharePublic,
  addShareCreate,
  addShareList,
  addShareShow,
  addShareModify,
  addShareDelete,
  addShareTest,
  addShareWho,
  addShareRequests,
]);

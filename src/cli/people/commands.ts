// `doorward member`, `doorward api-key` and `doorward person`, in the order of their help.

import { noun } from '../command.ts';
import { addApiKeyCreate } from './api-key-create.ts';
import { addApiKeyDelete } from './api-key-delete.ts';
import { addApiKeyList } from './api-key-list.ts';
import { addMemberCreate } from './member-create.ts';
import { addMemberDelete } from './member-delete.ts';
import { addMemberInvite } from './member-invite.ts';
import { addMemberList } from './member-list.ts';
import { addMemberModify } from './member-modify.ts';
import { addPersonEnd } from './person-end.ts';
import { addPersonShow } from './person-show.ts';

export const addMemberCommands = noun('member', 'people who manage the account', [
  addMemberCreate,
  addMemberList,
  addMemberModify,
  addMemberInvite,
  addMemberDelete,
]);

export const addApiKeyCommands = noun('api-key', 'keys for programs that call the control API', [
  addApiKeyCreate,
  addApiKeyList,
  addApiKeyDelete,
]);

export const addPersonCommands = noun('person', 'people who open shares', [addPersonShow, addPersonEnd]);

// `doorward session`, in the order of its help. The other records have a command each.

import { noun } from '../command.ts';
import { addSessionEnd } from './session-end.ts';
import { addSessionList } from './session-list.ts';

export const addSessionCommands = noun('session', 'who is logged in', [addSessionList, addSessionEnd]);

// `doorward webhook`, in the order of its help.

import { noun } from '../command.ts';
import { addWebhookCreate } from './create.ts';
import { addWebhookDelete } from './delete.ts';
import { addWebhookList } from './list.ts';
import { addWebhookModify } from './modify.ts';
import { addWebhookRotateSecret } from './rotate-secret.ts';
import { addWebhookShow } from './show.ts';
import { addWebhookSwitches } from './switch.ts';
import { addWebhookTest } from './try.ts';

export const addWebhookCommands = noun('webhook', 'addresses that receive audit events', [
  addWebhookCreate,
  addWebhookList,
  addWebhookShow,
  addWebhookTest,
  addWebhookModify,
  addWebhookRotateSecret,
  addWebhookSwitches,
  addWebhookDelete,
]);

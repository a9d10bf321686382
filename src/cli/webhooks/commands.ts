// `doorward webhook`, in the order of its help.

import { noun } from '../command.ts';
import { addWebhookCreate } from './create.ts';
import { addWebhookDelete } from './delete.ts';
import { addWebhookDeliveries } from './deliveries.ts';
import { addWebhookDelivery } from './delivery.ts';
import { addWebhookList } from './list.ts';
import { addWebhookModify } from './modify.ts';
import { addWebhookRedeliver } from './redeliver.ts';
import { addWebhookRotateSecret } from './rotate-secret.ts';
import { addWebhookShow } from './show.ts';
import { addWebhookSwitches } from './switch.ts';
import { addWebhookTest } from './try.ts';

export const addWebhookCommands = noun('webhook', 'addresses that receive audit events', [
  addWebhookCreate,
  addWebhookList,
  addWebhookShow,
  addWebhookTest,
  addWebhookDeliveries,
  addWebhookDelivery,
  addWebhookRedeliver,
  addWebhookModify,
  addWebhookRotateSecret,
  addWebhookSwitches,
  addWebhookDelete,
]);

// The schemas of logins by device, from which the API's description is made.

import { z } from '@hono/zod-openapi';
import type { DeviceDecisionInput, DeviceLoginObject, UserCodeInput } from '../../wire/device-login.ts';
import { formatDuration } from '../../domain/duration.ts';
import { KEY_SCOPES, lesserRights, type Role, ROLES } from '../../domain/role.ts';
import type { DeviceLogin } from '../../store/people/device-login.ts';
import { networkOf } from './limits.ts';
import { DEVICE_KEY_LIFETIME_MS } from './poll.ts';
import { timeText } from '../time-text.ts';

const userCode = z
  .string()
  .max(40)
  .openapi({ description: 'The code that the device shows.', example: 'BCDF-GHJK' });

export const userCodeSchema = z
  .strictObject({ userCode })
  .openapi('UserCode') satisfies z.ZodType<UserCodeInput>;

export const deviceDecisionSchema = z
  .strictObject({ userCode, allow: z.boolean() })
  .openapi('DeviceDecision') satisfies z.ZodType<DeviceDecisionInput>;

export const deviceLoginSchema = z
  .object({
    device: z.string().openapi({ description: 'The name that the device gives itself. It is not verified.' }),
    ip: z.string().openapi({ description: 'The network address of the device.' }),
    isSameNetwork: z
      .boolean()
      .openapi({ description: 'Whether you call from the same network as the device.' }),
    role: z.enum(ROLES),
    scope: z.enum(KEY_SCOPES),
    keyExpiresAfter: z.string().openapi({ example: '30d' }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().openapi({ description: 'When the code expires.' }),
  })
  .openapi('DeviceLogin') satisfies z.ZodType<DeviceLoginObject>;

export function deviceLoginObject(
  { name, ip, network, scope, createdAt, expiresAt }: DeviceLogin,
  { role, address }: { readonly role: Role; readonly address: string },
): DeviceLoginObject {
  return {
    device: name,
    ip,
    isSameNetwork: network === networkOf(address),
    ...lesserRights({ role, scope }, role),
    keyExpiresAfter: formatDuration(DEVICE_KEY_LIFETIME_MS),
    createdAt: timeText(createdAt),
    expiresAt: timeText(expiresAt),
  };
}

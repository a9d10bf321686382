// POST /v1/me/device-logins/find: what a device asks for that shows this code. It changes nothing; the code
// is in the body, since addresses are logged.

import { Secret, secretHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { parseUserCode } from '../../domain/user-code.ts';
import { problems } from '../answers.ts';
import type { Caller } from '../control-deps.ts';
import { operation } from '../operation.ts';
import { type DeviceLimits, networkOf } from './limits.ts';
import { deviceLoginObject, deviceLoginSchema, userCodeSchema } from './schema.ts';

export const findDeviceLogin = operation({
  needs: 'member',
  route: {
    method: 'post',
    path: '/v1/me/device-logins/find',
    operationId: 'findDeviceLogin',
    summary: 'Find a device login',
    description:
      'Finds a device that waits to be logged in, by its code (RFC 8628). Only for members who logged in with an identity provider.',
    request: { body: { required: true, content: { 'application/json': { schema: userCodeSchema } } } },
    responses: {
      200: {
        description: 'What the device requests, and its network address.',
        content: { 'application/json': { schema: deviceLoginSchema } },
      },
      ...problems('device_login_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const login = await triedCode(deps, caller, c.req.valid('json').userCode, (userHash) =>
      deps.store.deviceLogins.findWaiting(userHash, deps.now()),
    );
    return c.json(deviceLoginSchema.parse(deviceLoginObject(login, caller)), 200);
  },
});

/**
 * What `find` answers for a code. Throws `device_login_unknown`, and `rate_limited` after too many that were
 * wrong.
 */
export async function triedCode<Found>(
  { deviceLimits }: { readonly deviceLimits: DeviceLimits },
  { memberId, address }: Pick<Caller, 'memberId' | 'address'>,
  typed: string,
  find: (userHash: string) => Promise<Found | null>,
): Promise<Found> {
  const tries = [`of ${memberId}`, `codes from ${networkOf(address)}`];
  tries.forEach(deviceLimits.requireTries);
  const code = parseUserCode(typed);
  const found = code === null ? null : await find(secretHash(new Secret(code)));
  if (found !== null) return found;
  tries.forEach(deviceLimits.failed);
  throw new ServiceError('device_login_unknown', 'Cannot find a device login: no device shows this code', {
    hint: 'Enter the code as the device shows it. A code is valid for ten minutes and one login.',
  });
}

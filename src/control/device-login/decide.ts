// POST /v1/me/device-logins/decide: a member lets a device act for them, or not. Allowed, it fetches an API
// key of theirs, once.

import { secretHash } from '../../domain/secret.ts';
import { problems } from '../answers.ts';
import { recordedChange } from '../change-note.ts';
import { sessionToken } from '../console/console-caller.ts';
import { operation } from '../operation.ts';
import { deviceDecisionSchema } from './schema.ts';
import { triedCode } from './find.ts';

export const decideDeviceLogin = operation({
  needs: 'member',
  route: {
    method: 'post',
    path: '/v1/me/device-logins/decide',
    operationId: 'decideDeviceLogin',
    summary: 'Allow or deny a device login',
    description:
      'Allows or denies a device that waits to be logged in (RFC 8628). Only for members who logged in with an identity provider. Allow only a device that shows you the code itself.',
    request: { body: { required: true, content: { 'application/json': { schema: deviceDecisionSchema } } } },
    responses: {
      204: { description: 'The decision is final.' },
      ...problems('device_login_unknown', 'body_too_large', 'unsupported_media_type'),
    },
  },
  make: (deps) => async (c) => {
    const { userCode, allow } = c.req.valid('json');
    const caller = c.get('caller');
    const token = sessionToken(deps, c.req);
    const kind = allow ? 'allowed' : 'denied';
    const login = await triedCode(deps, caller, userCode, (userHash) =>
      recordedChange(
        deps,
        caller,
        () => {
          const { accountId, memberId } = caller;
          if (memberId === null || token === null) return Promise.resolve(null);
          const decision = { kind, accountId, memberId, sessionHash: secretHash(token) } as const;
          return deps.store.deviceLogins.decide(userHash, decision, deps.now());
        },
        (found) => found && { kind: `device_login.${kind}`, reason: `${found.name}, from ${found.ip}` },
      ),
    );
    deps.deviceLimits.ended(login.ip);
    return c.body(null, 204);
  },
});

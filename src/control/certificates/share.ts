// A share that asks for client certificates: only where the gateway sees them, and once there is somebody to
// issue them.

import type { ShareChanges } from '../../wire/share.ts';
import { conditionsOf } from '../../domain/named-providers.ts';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ShareSettings } from '../../domain/share-values.ts';
import { authoritiesOf } from '../../pki/authority.ts';
import type { ControlDeps } from '../control-deps.ts';

type Draft = {
  readonly change: Pick<ShareChanges, 'clientCertificate' | 'rules' | 'behind'>;
  readonly after: Pick<ShareSettings, 'clientCertificate' | 'rules' | 'behind'>;
};

/** Makes sure that the account has an authority. Throws `needs_tls`. */
export async function prepareCertificateShare(
  deps: ControlDeps,
  { accountId, ...draft }: Draft & { readonly accountId: AccountId },
): Promise<void> {
  if (asksAuthority(deps, draft)) await authoritiesOf(deps, accountId);
}

/** Whether the account is to have an authority for this. Throws `needs_tls`. */
export function asksAuthority(deps: Pick<ControlDeps, 'settings'>, { change, after }: Draft): boolean {
  // What is not being set is not judged: a share can be disabled wherever it is. Whose handshake it is
  // changes with `behind`.
  const { behind: moves, clientCertificate, rules } = change;
  const isSet = (moves ?? clientCertificate) !== undefined && after.clientCertificate !== null;
  const isAskedByRule =
    (moves ?? rules) !== undefined &&
    after.rules.some((rule) => conditionsOf(rule).certificate !== undefined);
  if (!isSet && !isAskedByRule) return false;
  const { gatewayTls, forwardedCertificates } = deps.settings();
  if (after.behind && !forwardedCertificates)
    throw new ServiceError('needs_tls', 'Cannot require client certificates: no proxy may pass them on', {
      hint: 'Set forward_auth.client_certificates in the configuration, and let the proxy pass the certificate on.',
    });
  if (!after.behind && !gatewayTls)
    throw new ServiceError(
      'needs_tls',
      'Cannot require client certificates: this gateway does not terminate TLS',
      {
        hint: 'Terminate TLS at the gateway: set `tls` in the configuration, and let no proxy in front terminate it.',
      },
    );
  return true;
}

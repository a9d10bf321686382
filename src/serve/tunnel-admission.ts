// Whether an agent may serve a share (DESIGN "Tunnel"): its API key or its client certificate may serve
// tunnels, and the share is of that account, and one that agents serve. Another account's share reads as
// unknown. Where the control API requires certificates, an agent needs one, too: a key counts beside a
// certificate of the same account.

import type { ControlCertificates } from '../config/config.ts';
import { judgedCertificate, heldCertificate, rightsNow } from '../control/certificates/holder.ts';
import { keyCounts } from '../control/console/console-caller.ts';
import type { ConsoleSettings } from '../control/console/console-settings.ts';
import type { ControlDeps } from '../control/control-deps.ts';
import type { FailedKeys } from '../domain/failed-keys.ts';
import { mayServeTunnels } from '../domain/role.ts';
import { type FaultCode, ServiceError } from '../domain/service-error.ts';
import type { AccountId, ShareId } from '../domain/id.ts';
import type { TunnelKey, TunnelQuestion, WorkerAnswer } from '../gateway/messages.ts';
import type { KeptCertificate } from '../store/certificates/certificate.ts';
import type { KnownApiKey } from '../store/people/people.ts';
import type { ShareRow } from '../store/shares/share.ts';

export type AdmissionDeps = Pick<ControlDeps, 'store' | 'now' | 'log'> & {
  /** `control.client_certificates`. */
  readonly clientCertificates: ControlCertificates;
  readonly failedKeys: FailedKeys;
  readonly findProvider: ConsoleSettings['findProvider'];
};

/** Rejects when the store does not answer. */
export async function admitAgent(deps: AdmissionDeps, question: TunnelQuestion): Promise<WorkerAnswer> {
  try {
    const { accountId, key } = await grantOf(deps, question);
    const share = await shareOf(deps, accountId, question.share);
    if (share.tunnel === null)
      throw new ServiceError(
        'validation_failed',
        `Cannot serve ${share.name} from here: the gateway connects to its target`,
      );
    if (!share.enabled)
      throw new ServiceError('share_disabled', `Cannot serve ${share.name}: it is disabled`, {
        hint: `Enable it with "doorward share modify ${share.name} --enabled".`,
      });
    noteSeen(deps, share.id);
    return { kind: 'tunnel', shareId: share.id, key };
  } catch (error) {
    if (!(error instanceof ServiceError) || TRANSIENT.has(error.code)) throw error;
    return { kind: 'refused', code: error.code, message: error.message, hint: error.hint };
  }
}

type Grant = { readonly accountId: AccountId; readonly key: TunnelKey };

/** A key counts first, as at the control API. */
async function grantOf(deps: AdmissionDeps, question: TunnelQuestion): Promise<Grant> {
  const { clientCertificates } = deps;
  const { keyHash } = question;
  // Where something else ends TLS no certificate comes: there a key alone has to do.
  const isRequired = clientCertificates === 'required' && question.asksCertificate;
  const counts = isRequired || (keyHash === null && clientCertificates !== 'none');
  const certificate = counts ? await certificateOf(deps, question) : null;
  if (keyHash === null) return certificateGrant(deps, certificate);
  const { id, accountId, expiresAt } = await usableKey(deps, keyHash, question.address);
  if (certificate === null) return { accountId, key: { id, expiresAt } };
  if (certificate.accountId !== accountId)
    throw new ServiceError(
      'certificate_foreign',
      'Cannot open a tunnel: the certificate and the API key belong to different accounts',
    );
  return { accountId, key: { id, expiresAt: earlier(certificate.notAfter, expiresAt), byCertificate: true } };
}

function certificateOf(
  deps: AdmissionDeps,
  { certificate, address }: TunnelQuestion,
): Promise<KeptCertificate> {
  return address === null
    ? judgedCertificate(deps, certificate)
    : heldCertificate(deps, { certificate, address });
}

/** No wider than an API key that may serve tunnels. */
async function certificateGrant(deps: AdmissionDeps, certificate: KeptCertificate | null): Promise<Grant> {
  if (certificate === null)
    throw new ServiceError('api_key_missing', 'Cannot open a tunnel: the request carries no API key', {
      hint: 'This host does not accept client certificates. Send "Authorization: Bearer dw_…".',
    });
  const rights = await rightsNow(deps, certificate);
  if (rights === null || !mayServeTunnels(rights))
    throw new ServiceError('not_allowed', 'Cannot open a tunnel with this certificate: it has no role', {
      hint: 'Ask an admin for a certificate with the role tunnel: doorward cert token create --api-role tunnel.',
    });
  const expiresAt = earlier(certificate.notAfter, rights.makerExpiresAt);
  return { accountId: certificate.accountId, key: { id: rights.maker, expiresAt, byCertificate: true } };
}

function earlier(at: number, other: number | null): number {
  return other === null ? at : Math.min(at, other);
}

async function usableKey(deps: AdmissionDeps, keyHash: string, address: string | null): Promise<KnownApiKey> {
  const key = await deps.store.apiKeys.findByHash(keyHash);
  if (key === null) {
    const wait = address === null ? null : deps.failedKeys.count(address);
    if (wait !== null)
      throw new ServiceError(
        'rate_limited',
        'Cannot open a tunnel: too many wrong API keys came from this address',
      );
    throw new ServiceError('api_key_invalid', 'Cannot open a tunnel: the API key is unknown');
  }
  if (key.expiresAt !== null && deps.now() >= key.expiresAt)
    throw new ServiceError('api_key_invalid', 'Cannot open a tunnel: the API key has expired');
  if (!keyCounts(deps.findProvider, key))
    throw new ServiceError(
      'api_key_invalid',
      'Cannot open a tunnel: the login behind this API key is no longer valid',
    );
  if (key.accountSuspended)
    throw new ServiceError('not_allowed', 'Cannot open a tunnel: the account is suspended');
  if (!mayServeTunnels(key))
    throw new ServiceError('not_allowed', 'Cannot open a tunnel with this API key: it can only read', {
      hint: 'Use a key with scope "tunnel" or "full" of somebody who is no auditor.',
    });
  return key;
}

async function shareOf({ store }: AdmissionDeps, accountId: AccountId, named: string): Promise<ShareRow> {
  // No name holds an underscore, so the two cannot be mixed up.
  const share = named.startsWith('shr_')
    ? await store.shares.findById(named as ShareId)
    : await store.shares.find(accountId, named);
  if (share === null || share.accountId !== accountId)
    throw new ServiceError('share_unknown', `Cannot serve ${named}: there is no such share`);
  return share;
}

/** Nobody waits for it: an ephemeral share outlives its agent a little, whatever becomes of this. */
function noteSeen({ store, now, log }: AdmissionDeps, id: ShareId): void {
  store.shares.agentSeen(id, now()).catch((error: unknown) => {
    log.warn({ err: error, shareId: id }, 'Cannot note that a share is served');
  });
}

const TRANSIENT: ReadonlySet<FaultCode> = new Set(['store_unavailable', 'internal']);

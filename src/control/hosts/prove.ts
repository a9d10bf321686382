// Makes a claimed host its account's: by a grant of the operator, or by the DNS as it is at that moment.
// Nothing is looked up again later on its own account; only when another account proves the same host is the
// holder's record looked for again, and where it is gone the host passes on (docs/how-to/custom-hosts.md).

import { isProved, challengeName, challengeValue, requireCookieReach } from '../../domain/custom-host.ts';
import { type AuditEvent, auditEvent } from '../../domain/audit-event.ts';
import { namedProviders } from '../../domain/named-providers.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { HostProof, ShareHostRow } from '../../store/shares/host.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { changeEvent, recorded } from '../change-note.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { unknownHost } from './find.ts';
import type { VerificationLimit } from './verification-limit.ts';

export type ProveDeps = ControlDeps & {
  readonly verificationLimit: VerificationLimit;
};

/** The host, active. Throws `host_unproved`, `host_taken`, `host_outside_cookie_domain`, `rate_limited`. */
export async function proveHost(deps: ProveDeps, caller: Caller, claim: ShareHostRow): Promise<ShareHostRow> {
  if (claim.proof !== null) return claim;
  await usableShare(deps, claim);
  const ground = await groundOf(deps, claim);
  return writeProof(deps, claim, { ...ground, caller });
}

/** By the operator's grant alone, without asking the DNS; the claim as it is when there is none. */
export async function proveIfGranted(
  deps: ProveDeps,
  caller: Caller,
  claim: ShareHostRow,
): Promise<ShareHostRow> {
  if (!(await deps.store.hosts.isGranted(claim.accountId, claim.host))) return claim;
  return proveHost(deps, caller, claim);
}

type Ground = {
  readonly proof: HostProof;
  /** Another account that has the host, and whose own record is gone. */
  readonly holder: ShareHostRow | null;
};

async function groundOf(
  { store, txtLookup, verificationLimit }: ProveDeps,
  claim: ShareHostRow,
): Promise<Ground> {
  const { accountId, host } = claim;
  if (await store.hosts.isGranted(accountId, host)) return { proof: 'operator', holder: null };
  verificationLimit(accountId);
  const answer = await txtLookup(challengeName(host));
  if (answer.kind === 'failed') throw unproved(claim, `the DNS did not answer (${answer.reason})`);
  if (!isProved(answer.records, accountId, host)) {
    const count = answer.records.length;
    throw unproved(
      claim,
      count === 0 ? 'it has no TXT record' : `none of its ${count} TXT records has the value`,
    );
  }
  const holder = await store.hosts.holder(host);
  if (holder === null || holder.accountId === accountId) return { proof: 'dns', holder: null };
  // Both records are there: the one that came first stays.
  if (holder.proof !== 'dns' || isProved(answer.records, holder.accountId, host)) throw taken(host);
  return { proof: 'dns', holder };
}

/** Judged against the share as it is, so it is written only onto that version. */
async function writeProof(
  deps: ProveDeps,
  { accountId, id, host, shareId }: ShareHostRow,
  { proof, holder, caller }: Ground & { readonly caller: Caller },
): Promise<ShareHostRow> {
  for (let attempt = 1; ; attempt++) {
    const share = await usableShare(deps, { accountId, host, shareId });
    try {
      const displaces = holder?.accountId ?? null;
      const of = { accountId, id, host, proof, displaces, shareVersion: share.version, at: deps.now() };
      const proved = await recorded(
        deps,
        () => deps.store.hosts.prove(of),
        (made) => {
          // Of two that prove it at once, one did it.
          if (made === null || !made.isNew) return [];
          const { row, displaced } = made;
          const lost = displaced === null ? [] : [lossEvent(deps, displaced)];
          const note = { kind: 'host.proved' as const, shareId: row.shareId, reason: row.host };
          return [...lost, changeEvent(deps, caller, note)];
        },
      );
      if (proved === null) throw unknownHost(host);
      return proved.row;
    } catch (error) {
      const conflict = error instanceof ServiceError && error.code === 'precondition_failed';
      if (!conflict || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Throws `host_outside_cookie_domain` when the share's login would not work at the host. */
async function usableShare(
  { store, settings }: ControlDeps,
  { accountId, host, shareId }: Pick<ShareHostRow, 'accountId' | 'host' | 'shareId'>,
): Promise<ShareRow> {
  const share = await store.shares.findById(shareId);
  if (share === null || share.accountId !== accountId) throw unknownHost(host);
  const { shareBase, cookieDomain } = settings();
  if (namedProviders(share).length > 0) requireCookieReach(host, { ...shareBase, cookieDomain });
  return share;
}

/** For the account that lost it: not who has it now. */
function lossEvent({ now }: ControlDeps, { accountId, shareId, host: reason }: ShareHostRow): AuditEvent {
  return auditEvent({ kind: 'host.lost', at: now(), accountId, shareId, reason });
}

function unproved({ accountId, host }: ShareHostRow, found: string): ServiceError {
  return new ServiceError('host_unproved', `Cannot use host ${host}: ${challengeName(host)}: ${found}`, {
    hint: `Create a TXT record ${challengeName(host)} with the value ${challengeValue(accountId, host)}, then try again. A new record can take minutes to propagate.`,
  });
}

function taken(host: string): ServiceError {
  return new ServiceError('host_taken', `Cannot use host ${host}: it belongs to another account`, {
    hint: `If the host is yours, delete the other TXT record at ${challengeName(host)}, or ask the operator.`,
  });
}

/** As for a change of a share. */
const MAX_ATTEMPTS = 10;

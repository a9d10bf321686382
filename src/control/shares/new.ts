// What a share is made for: a target that the gateway reaches itself, agents that serve it, or an app behind
// a proxy of its own. And the share that an agent comes back to: a reserved one is made once, and served
// again under its name.

import { isDeepStrictEqual } from 'node:util';
import type { NewShare } from '../../wire/share.ts';
import type { AccountId } from '../../domain/id.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { randomBytes } from '../../domain/secret.ts';
import { keptSettings } from '../../domain/share-values.ts';
import type { TunnelKind } from '../../domain/tunnel-kind.ts';
import type { ShareRow, ShareTable } from '../../store/shares/share.ts';
import { inputRefused } from '../input-fault.ts';
import { changeSettings } from './settings.ts';

export type Backend =
  | { readonly target: string | null; readonly tunnel: null; readonly name: string }
  | { readonly target: null; readonly tunnel: TunnelKind; readonly name: string };

/**
 * Throws `validation_failed` unless there is a target, a tunnel or `behind`, and one of them alone; only an
 * ephemeral share needs no name.
 */
export function backendOf({ name, target, tunnel, behind = false }: NewShare): Backend {
  if ([target !== undefined, tunnel !== undefined, behind].filter(Boolean).length !== 1)
    throw inputRefused([
      {
        path: 'target',
        message:
          'send one of target, tunnel for a share that agents serve, or behind for one behind your own proxy',
      },
    ]);
  if (name === undefined && tunnel !== 'ephemeral')
    throw inputRefused([{ path: 'name', message: 'it is missing' }]);
  if (target !== undefined || behind) return { target: target ?? null, tunnel: null, name: name ?? '' };
  return { target: null, tunnel: tunnel ?? 'ephemeral', name: name ?? randomName() };
}

/**
 * The account's reserved share of that name, when nothing is asked that it is not: an agent with a key for
 * tunnels alone may serve it again, and change nothing of it.
 */
export async function keptShare(
  shares: ShareTable,
  accountId: AccountId,
  { input, providers }: { readonly input: NewShare; readonly providers: readonly ProviderRef[] },
): Promise<ShareRow | null> {
  const { name, tunnel } = input;
  if (name === undefined || tunnel !== 'reserved') return null;
  const row = await shares.find(accountId, name);
  if (row?.tunnel !== 'reserved') return null;
  const asked = changeSettings(row, input, providers);
  return isDeepStrictEqual(asked, keptSettings(row)) ? row : null;
}

/** Nobody finds it by trying: 60 random bits, in letters and digits that are not mistaken for each other. */
function randomName(): string {
  return Array.from(randomBytes(12), (byte) => NAME_CHARACTERS[byte % NAME_CHARACTERS.length]).join('');
}

/** 32 of them, so that each is as likely as any other. */
const NAME_CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

// The share that an agent serves: a new one that goes with its agent, or a kept one under its name. A kept
// one is taken up again as it is; options that are given again are set before anything is served, those left
// out stay.

import type { Client } from '../../../client/client.ts';
import type { NewShare, ShareObject } from '../../../wire/share.ts';
import { openingRule } from '../../../domain/open-share.ts';
import { ServiceError } from '../../../domain/service-error.ts';

export type ShareInput = {
  /** Null for an ephemeral share, whose name is random. */
  readonly name: string | null;
  readonly settings: Omit<NewShare, 'name' | 'target' | 'tunnel'>;
};

/**
 * Throws what the API answers: `name_taken` when the name is another account's or a share without agents has
 * it, `not_allowed` when the key may not set the options; `share_disabled` for a share that is disabled.
 */
export async function makeShare(shares: Client['shares'], input: ShareInput): Promise<ShareObject> {
  const { name, settings } = input;
  if (name === null) return create(shares, { tunnel: 'ephemeral', ...settings });
  const share = await takeUp(shares, name, input);
  if (!share.enabled)
    throw new ServiceError('share_disabled', `Cannot share at ${share.url}: "${share.name}" is disabled`, {
      hint: `Enable it with "doorward share modify ${share.name} --enabled".`,
    });
  return share;
}

async function create(shares: Client['shares'], share: NewShare): Promise<ShareObject> {
  try {
    return await shares.create(share);
  } catch (error) {
    if (!isFault(error, 'share_unknown')) throw error;
    throw new ServiceError(
      'control_unreachable',
      'Cannot create a share there: that is the address of the gateway, not of the control API',
      { cause: error, hint: 'Give the address of control.public_url with --url, or log in there again.' },
    );
  }
}

async function takeUp(
  shares: Client['shares'],
  name: string,
  { settings }: ShareInput,
): Promise<ShareObject> {
  try {
    return await create(shares, { name, tunnel: 'reserved', ...settings });
  } catch (error) {
    if (!isFault(error, 'name_taken')) throw error;
    const kept = await findKept(shares, name, error);
    if (kept.tunnel !== 'reserved') throw servedOtherwise(kept);
    // That it may be open to everyone is said of a new share, or of rules: one that asks for a login keeps
    // that.
    const { open, ...changes } = settings;
    const isMeant = openingRule(settings.rules ?? []) !== null;
    return await shares.modify(kept.id, isMeant ? { ...changes, open } : changes);
  }
}

/** The account's own share of that name, which has other settings. */
async function findKept(shares: Client['shares'], name: string, taken: ServiceError): Promise<ShareObject> {
  try {
    return await shares.show(name);
  } catch (error) {
    if (isFault(error, 'share_unknown'))
      throw new ServiceError('name_taken', `Cannot share as "${name}": another account has that name`, {
        cause: taken,
        hint: 'Choose another with --name, or leave it out for a random one.',
      });
    if (isFault(error, 'not_allowed'))
      throw new ServiceError(
        'not_allowed',
        `Cannot share as "${name}": the name is taken, or the share has other options, which this API key may not change`,
        {
          cause: error,
          hint: 'To serve it as it is, leave out the options. Otherwise use a key of scope "full", or choose another --name.',
        },
      );
    throw error;
  }
}

function servedOtherwise({ name, tunnel }: ShareObject): ServiceError {
  const how =
    tunnel === null ? 'the gateway reaches its target itself' : 'it ends with the agent that created it';
  return new ServiceError('name_taken', `Cannot share as "${name}": the share exists, and ${how}`, {
    hint: `Choose another --name, or remove that share first: doorward share delete ${name}`,
  });
}

function isFault(error: unknown, code: ServiceError['code']): error is ServiceError {
  return error instanceof ServiceError && error.code === code;
}

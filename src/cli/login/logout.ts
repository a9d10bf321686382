// `doorward logout`: forgets what `doorward login` kept, and ends the key at the service, when a login in a
// browser made it. A key that somebody gave may be in use elsewhere: it stays.

import type { Command } from 'commander';
import { createNodeOAuth } from '../../client/node-client.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { allowsPlainHttp, type PlainHttpOptions, plainHttpOption, refusePlainHttp } from './connection.ts';
import { type Credentials, credentialsFile, readCredentials, removeCredentials } from './credentials.ts';
import { newCommand } from '../command.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { wayOut } from '../way-out.ts';

type Options = PlainHttpOptions & {
  readonly revokeKey?: true;
  readonly local?: true;
  readonly json?: true;
};

export function addLogout(program: Command, terminal: Terminal): void {
  newCommand(program, 'logout', ['doorward logout', 'doorward logout --local'])
    .description('log out: delete the key of a browser login, and remove it here')
    .option('--revoke-key', 'also delete an API key that you gave to "doorward login"')
    .option('--local', 'only remove it here, for example if the service is gone')
    .addOption(plainHttpOption())
    .addOption(jsonOption())
    .action(async (options: Options) => {
      const file = credentialsFile(terminal.env);
      const kept = await readCredentials(file);
      const revoked = kept !== null && !options.local && (await revoke(kept, { terminal, options }));
      await removeCredentials(file);
      if (options.json) return printJson(terminal, { url: kept?.url.origin ?? null, revoked });
      if (kept === null) return terminal.err('You are not logged in.\n');
      terminal.err(`Logged out of ${kept.url.origin}. ${effectOf(kept, revoked)}\n`);
    });
}

/**
 * False for what is not this command's to end. Throws, and the key is kept here, when the service did not end
 * it.
 */
async function revoke(
  { url, apiKey, isOwn }: Credentials,
  { terminal, options }: { readonly terminal: Terminal; readonly options: Options },
): Promise<boolean> {
  if (apiKey === null || !(isOwn || options.revokeKey)) return false;
  refusePlainHttp(url, allowsPlainHttp(terminal, options));
  try {
    await createNodeOAuth({ url, wayTo: wayOut(terminal) }).revoke(apiKey);
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, error.message, {
      cause: error,
      hint: 'The key is still valid, and still saved here. Try again, or give --local to only remove it here.',
    });
  }
}

function effectOf({ apiKey, isOwn }: Credentials, revoked: boolean): string {
  if (revoked) return 'The API key is deleted.';
  if (apiKey === null) return 'The certificate and its key are unchanged.';
  return isOwn
    ? 'The API key stays valid until it expires: delete it in the console.'
    : 'The API key stays valid; "doorward api-key delete" deletes it.';
}

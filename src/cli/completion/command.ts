// `doorward completion SHELL` prints what makes a shell complete; `doorward complete -- WORDS…`, which is in
// no help, is what it calls at each press of Tab. That one never fails and never keeps anybody waiting.

import { Argument, type Command } from 'commander';
import { parseDuration } from '../../domain/duration.ts';
import { connect, type ConnectionOptions } from '../login/connection.ts';
import { liveNames } from './live-names.ts';
import { type Candidate, type Place, placeOf } from './place.ts';
import { COMPLETION_SCRIPTS, type Shell, SHELLS } from './scripts.ts';
import { newCommand } from '../command.ts';
import { plain, type Terminal } from '../terminal.ts';

export function addCompletion(program: Command, terminal: Terminal): void {
  newCommand(program, 'completion', ['source <(doorward completion bash)', 'doorward completion zsh'])
    .description('print a shell completion script for commands, options and names')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: Shell) => terminal.out(COMPLETION_SCRIPTS[shell]));
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => terminal.out(await completionsOf(program, words, terminal)));
}

/** What the scripts read. Empty when nothing is known, or nobody answers. */
async function completionsOf(
  program: Command,
  words: readonly string[],
  terminal: Terminal,
): Promise<string> {
  const { place, prefix, typed } = placeOf(program, words);
  if (place.kind === 'files') return ':files\n';
  const candidates = await candidatesAt(place, terminal);
  return candidates
    .filter(({ value }) => value.startsWith(typed) && SAFE.test(value))
    .map(({ value, description }) => `${prefix}${plain(value)}\t${plain(description)}\n`)
    .join('');
}

async function candidatesAt(place: Place, terminal: Terminal): Promise<readonly Candidate[]> {
  if (place.kind === 'words') return place.candidates;
  if (place.kind !== 'names') return [];
  try {
    const { env } = terminal;
    const client = await connect(terminal, {
      ...connectionIn(place.given, env),
      callLimitMs: callLimitMs(env['DOORWARD_COMPLETION_LIMIT']),
    });
    return await liveNames(client, place.of);
  } catch {
    // A prompt is no place for faults: the command itself tells them.
    return [];
  }
}

/** The connection options, as they stand on the line or in the environment. */
function connectionIn(given: ReadonlyMap<string, string>, env: Terminal['env']): ConnectionOptions {
  const url = given.get('--url') ?? env['DOORWARD_URL'];
  const apiKeyFile = given.get('--api-key-file') ?? env['DOORWARD_API_KEY_FILE'];
  const cert = given.get('--cert') ?? env['DOORWARD_CLIENT_CERTIFICATE'];
  const key = given.get('--key') ?? env['DOORWARD_CLIENT_KEY'];
  return {
    ...(url === undefined ? {} : { url }),
    ...(apiKeyFile === undefined ? {} : { apiKeyFile }),
    // Beside no certificate it is something else's.
    ...(cert === undefined ? {} : { cert, ...(key === undefined ? {} : { key }) }),
    ...(given.has('--allow-plain-http') ? { allowPlainHttp: true } : {}),
  };
}

function callLimitMs(text: string | undefined): number {
  return text === undefined ? CALL_LIMIT_MS : parseDuration(text);
}

/**
 * What is put on somebody's command line must mean nothing to their shell: `$(…)@example.com` is an address,
 * too.
 */
const SAFE = /^[\w@%+=:,./-]+$/;
/** Longer than any answer of a service that does well, shorter than patience with a prompt. */
const CALL_LIMIT_MS = 2_000;

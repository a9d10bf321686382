// What can stand where the cursor is, by the tree of commands alone: subcommands, options, the values of an
// option, files, or names that only the service knows. Pure.

import type { Argument, Command, Option } from 'commander';

/** Collections whose names can be asked of the control API. */
export type LiveKind =
  | 'share'
  | 'provider'
  | 'member'
  | 'api-key'
  | 'webhook'
  | 'host'
  | 'session'
  | 'cert'
  | 'cert token'
  | 'token'
  | 'access';

export type Candidate = { readonly value: string; readonly description: string };

export type Place =
  | { readonly kind: 'words'; readonly candidates: readonly Candidate[] }
  | { readonly kind: 'files' }
  /** `given`: the options so far, by their long flag. */
  | { readonly kind: 'names'; readonly of: LiveKind; readonly given: ReadonlyMap<string, string> }
  | { readonly kind: 'nothing' };

/**
 * `words` are those after the program's name, the last one the word under the cursor. `prefix` is what was
 * typed before the completed part (`--share=`). Candidates are not narrowed down yet.
 */
export function placeOf(
  program: Command,
  words: readonly string[],
): { readonly place: Place; readonly prefix: string; readonly typed: string } {
  const typed = words.at(-1) ?? '';
  const walk = walkTo(program, words.slice(0, -1));
  const { command, waiting, given } = walk;
  if (waiting !== null) return { place: valueOf(waiting, given), prefix: '', typed };
  const inline = /^(--[^=]+=)(.*)$/s.exec(typed);
  if (inline !== null && !walk.ended) {
    const [, prefix = '', value = ''] = inline;
    const option = findOption(command, prefix.slice(0, -1));
    const place: Place = option === undefined ? NOTHING : valueOf(option, given);
    return { place, prefix, typed: value };
  }
  if (typed.startsWith('-') && !walk.ended) return { place: optionsOf(command), prefix: '', typed };
  const candidates = visible(command);
  if (candidates.length > 0) {
    // After a word that is no command, nothing that could follow would be one either.
    const place: Place = walk.arguments > 0 ? NOTHING : { kind: 'words', candidates };
    return { place, prefix: '', typed };
  }
  return { place: argumentOf(command, walk.arguments, given), prefix: '', typed };
}

type Walk = {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly waiting: Option | null;
  readonly given: ReadonlyMap<string, string>;
  /** How many arguments stand before. */
  readonly arguments: number;
  /** After `--` nothing is an option. */
  readonly ended: boolean;
};

function walkTo(program: Command, words: readonly string[]): Walk {
  let command = program;
  let waiting: Option | null = null;
  let count = 0;
  let ended = false;
  const given = new Map<string, string>();
  for (const word of words) {
    if (waiting !== null) {
      given.set(waiting.long ?? '', word);
      waiting = null;
    } else if (!ended && word === '--') ended = true;
    else if (!ended && word.startsWith('-')) {
      const [flag = '', value] = word.split(/=(.*)/s, 2);
      const option = findOption(command, flag);
      if (option?.required === true && value === undefined) waiting = option;
      else given.set(flag, value ?? '');
    } else {
      const next = command.commands.find((each) => each.name() === word);
      if (next === undefined) count++;
      else command = next;
    }
  }
  return { command, waiting, given, arguments: count, ended };
}

function findOption(command: Command, flag: string): Option | undefined {
  return command.options.find((option) => option.long === flag || option.short === flag);
}

function optionsOf(command: Command): Place {
  const options = command.createHelp().visibleOptions(command);
  return {
    kind: 'words',
    candidates: options.flatMap(({ long, description }) => (long ? [{ value: long, description }] : [])),
  };
}

function visible(command: Command): readonly Candidate[] {
  if (command.commands.length === 0) return [];
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), description: each.description() }));
}

function valueOf(option: Option, given: ReadonlyMap<string, string>): Place {
  const { argChoices, long } = option;
  if (argChoices !== undefined) return choices(argChoices);
  if (long !== undefined && FILE_OPTIONS.has(long)) return { kind: 'files' };
  const of = long === undefined ? undefined : NAMED_BY_OPTION[long];
  return of === undefined ? NOTHING : { kind: 'names', of, given };
}

function argumentOf(command: Command, index: number, given: ReadonlyMap<string, string>): Place {
  const argument: Argument | undefined = command.registeredArguments[index];
  if (argument === undefined) return NOTHING;
  if (argument.argChoices !== undefined) return choices(argument.argChoices);
  if (argument.name() === 'file') return { kind: 'files' };
  const noun = nounOf(command);
  // What is being made has a name that nobody knows yet, what is served from here is none of the service, a
  // token to be redeemed is a secret, and a delivery is none of the webhooks.
  const isOther = NEW.has(command.name()) || argument.name() === 'delivery';
  if (!isLiveKind(noun) || isOther) return NOTHING;
  return { kind: 'names', of: noun, given };
}

/** What stands before the verb: `share`, `cert token`. */
function nounOf({ parent }: Command): string {
  if (parent === null || parent.parent === null) return '';
  const outer = nounOf(parent);
  return outer === '' ? parent.name() : `${outer} ${parent.name()}`;
}

function choices(values: readonly string[]): Place {
  return { kind: 'words', candidates: values.map((value) => ({ value, description: '' })) };
}

function isLiveKind(noun: string): noun is LiveKind {
  return LIVE_KINDS.has(noun);
}

const NEW: ReadonlySet<string> = new Set(['create', 'request', 'public']);
const NOTHING: Place = { kind: 'nothing' };
const LIVE_KINDS: ReadonlySet<string> = new Set<LiveKind>([
  'share',
  'provider',
  'member',
  'api-key',
  'webhook',
  'host',
  'session',
  'cert',
  'cert token',
  'token',
  'access',
]);
const NAMED_BY_OPTION: Readonly<Record<string, LiveKind>> = {
  '--share': 'share',
  '--provider': 'provider',
  '--oauth-provider': 'provider',
};
const FILE_OPTIONS: ReadonlySet<string> = new Set([
  '--config',
  '--file',
  '--api-key-file',
  '--dir',
  '--output',
]);

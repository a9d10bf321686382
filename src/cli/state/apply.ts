// `doorward apply -f FILE`: brings the account to what a file says. The plan is made and carried out by the
// control API, as a whole or not at all.

import type { Command } from 'commander';
import { ServiceError } from '../../domain/service-error.ts';
import type { ApplyAnswer } from '../../wire/state.ts';
import { type ExitWith, newCommand } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { doneText, planText, secretsText } from './plan-text.ts';
import { openSecretsFile } from './secrets-file.ts';
import { inFile, readStateFile } from './read-state-file.ts';

type Options = ConnectionOptions &
  ConfirmOptions & {
    readonly file: string;
    readonly prune?: true;
    readonly dryRun?: true;
    readonly secretsOut?: string;
    readonly json?: true;
  };

/** Of a dry run that found something to do; 2 is wrong usage here as everywhere. */
export const WOULD_CHANGE = 3;

export function addApply(program: Command, terminal: Terminal, exitWith: ExitWith): void {
  const command = newCommand(program, 'apply', [
    'doorward apply -f state.yaml --dry-run',
    'doorward apply -f state.yaml --prune --yes --secrets-out secrets.json',
  ])
    .description(
      `bring the account to what a file says, all of it or nothing; --dry-run exits with ${WOULD_CHANGE} if there is something to do`,
    )
    .addOption(
      onceOption(
        '-f, --file <file>',
        'the state, such as doorward export writes; - is standard input',
      ).makeOptionMandatory(),
    )
    .option('--prune', 'delete what the sections of the file do not have')
    .option('--dry-run', 'print what would be done, and change nothing')
    .addOption(
      onceOption('--secrets-out <file>', 'write new tokens and secrets to this new file, not to the screen'),
    );
  addYesOption(addConnectionOptions(command))
    .addOption(jsonOption())
    .action(async (options: Options) => exitWith(await runApply(terminal, options)));
}

async function runApply(terminal: Terminal, options: Options): Promise<number> {
  const { file, prune = false, dryRun = false, json = false } = options;
  const { state, locate } = await readStateFile(file, terminal.env);
  const client = await connect(terminal, { ...options, callLimitMs: CALL_LIMIT_MS });
  const plan = await inFile(file, locate, () => client.state.apply({ state, prune, dryRun: true }));
  const hasChanges = plan.changes.length > 0;
  if (!json) terminal.out(planText(plan));
  if (dryRun || !hasChanges) {
    if (json) printJson(terminal, plan);
    return dryRun && hasChanges ? WOULD_CHANGE : 0;
  }
  await confirm(terminal, options, question(plan));
  const secrets = await openSecretsFile(options.secretsOut);
  let done: ApplyAnswer;
  try {
    done = await inFile(file, locate, () => client.state.apply({ state, prune, plan: plan.plan }));
  } catch (error) {
    await secrets?.remove();
    throw asUnsure(error);
  }
  try {
    if (done.secrets.length === 0) await secrets?.remove();
    else await secrets?.write(done.secrets);
  } catch (error) {
    // They are shown this once, wherever there is room for them.
    terminal.out(secretsText(done.secrets));
    throw error;
  }
  if (json) printJson(terminal, secrets === null ? done : { ...done, secrets: [] });
  else {
    if (secrets === null) terminal.out(secretsText(done.secrets));
    terminal.err(doneText(done));
  }
  if (secrets !== null && done.secrets.length > 0)
    terminal.err(`Wrote the new tokens and secrets to ${plain(options.secretsOut ?? '')}.\n`);
  return 0;
}

function question({ changes }: ApplyAnswer): string {
  return `Apply ${changes.length === 1 ? 'this change' : `these ${changes.length} changes`}?`;
}

/** An answer that did not come says nothing of what was done. */
function asUnsure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'control_unreachable') return error;
  return new ServiceError(error.code, error.message, {
    cause: error,
    hint: 'All of the changes were made, or none. Apply again: it goes on from what there is.',
  });
}

/** Thousands of shares, on a database that is busy. */
const CALL_LIMIT_MS = 5 * 60_000;

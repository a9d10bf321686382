// The tree of commands: `doorward <noun> <verb>` (DESIGN 2.4). The reference documents are made from it too.

import type { Command } from 'commander';
import { addAccessCommands } from './access/commands.ts';
import { addAccountCommands } from './accounts/commands.ts';
import { addAgent } from './agent/command.ts';
import { createBareProgram } from './bare-program.ts';
import { addCaCommands, addCertCommands } from './certificates/commands.ts';
import type { AddCommand, ExitWith } from './command.ts';
import { addCompletion } from './completion/command.ts';
import { addExamples, keepExamples } from './help-examples.ts';
import { addHostCommands } from './hosts/commands.ts';
import { addLogin } from './login/login.ts';
import { addLogout } from './login/logout.ts';
import { addWhoami } from './login/whoami.ts';
import { addApiKeyCommands, addMemberCommands, addPersonCommands } from './people/commands.ts';
import { addProviderCommands } from './providers/commands.ts';
import { addAudit } from './records/audit.ts';
import { addSessionCommands } from './records/commands.ts';
import { addOverview } from './records/overview.ts';
import { addSettings } from './records/settings.ts';
import { addStatus } from './records/status.ts';
import { FIRST_COMMANDS, SERVICE_COMMANDS } from './service/commands.ts';
import { addShareCommands } from './shares/commands.ts';
import { addApply } from './state/apply.ts';
import { addExport } from './state/export.ts';
import type { Terminal } from './terminal.ts';
import { addTokenCommands } from './tokens/commands.ts';
import { addVersion } from './version.ts';
import { addWebhookCommands } from './webhooks/commands.ts';

/**
 * Parsing throws `CommanderError` for wrong usage; a command throws `ServiceError`. Nothing ends the process.
 */
export function createProgram(terminal: Terminal, exitWith: ExitWith): Command {
  const program = createBareProgram(terminal);
  for (const { heading, commands } of GROUPS) {
    program.commandsGroup(heading);
    for (const add of commands) add(program, terminal, exitWith);
  }
  // In the group that came last.
  program.helpCommand(true);
  keepExamples(program, FIRST_STEPS);
  addExamples(program);
  return program;
}

type Group = { readonly heading: string; readonly commands: readonly AddCommand[] };

/** Everything that `doorward --help` lists, in its order. */
const GROUPS: readonly Group[] = [
  { heading: 'Get started:', commands: [...FIRST_COMMANDS, addLogin, addLogout, addWhoami] },
  { heading: 'Shares:', commands: [addShareCommands, addAgent, addHostCommands, addProviderCommands] },
  {
    heading: 'People and keys:',
    commands: [
      addMemberCommands,
      addApiKeyCommands,
      addTokenCommands,
      addSessionCommands,
      addPersonCommands,
      addAccessCommands,
    ],
  },
  { heading: 'Certificates:', commands: [addCertCommands, addCaCommands] },
  { heading: 'State as a file:', commands: [addApply, addExport] },
  { heading: 'Watch:', commands: [addStatus, addOverview, addSettings, addAudit, addWebhookCommands] },
  { heading: 'Run the service:', commands: [...SERVICE_COMMANDS, addAccountCommands] },
  { heading: 'This program:', commands: [addCompletion, addVersion] },
];

const FIRST_STEPS: readonly string[] = [
  'doorward quickstart',
  'doorward login --url https://control.example.com',
  'doorward share public 3000 --oauth-provider google',
];

// What the quick start says once it runs: the address first, then what to try.

import { basename, isAbsolute, relative } from 'node:path';
import { controlUrlAt, DEV_PROVIDER, shareUrlAt } from './config.ts';
import type { QuickstartFiles } from './files.ts';
import type { Ports } from './ports.ts';
import { ADMIN, HELLO, HELLO_PATTERN } from './share.ts';

export type Started = {
  readonly ports: Ports;
  readonly files: QuickstartFiles;
  /** True when the folder was there already. */
  readonly again: boolean;
  /** How this program is called, for commands to copy: `npx doorward`. */
  readonly program: string;
  /** The folder that the commands are typed in. */
  readonly cwd: string;
};

export function startedText({ ports, files, again, program, cwd }: Started): string {
  const folder = shortest(cwd, files.folder);
  const key = shortest(cwd, files.apiKey);
  const fresh = again ? 'as it was left' : 'new';
  return `${shareUrlAt(ports, HELLO)}

Open it in a browser on this machine. It is a sample app behind a login:

  log in as ada@example.com         the page shows the headers that the app gets
  log in as someone@elsewhere.test  you are refused: the share lets in ${HELLO_PATTERN}
  no browser here?                  docs/tutorial/curl-walk.md does the same with curl

See and change everything in the console, and put a login in front of your own app there:

  ${controlUrlAt(ports)}/console/   log in as ${ADMIN}

Or at the command line, for port 3000. In another terminal, in this folder:

  export DOORWARD_URL=${controlUrlAt(ports)} DOORWARD_API_KEY_FILE=${quoted(key)}
  ${program} share public 3000 --oauth-provider ${DEV_PROVIDER}

It prints the address to open first, then one line for each request. Ctrl+C there removes the share.

State (${fresh}) is in ${folder}: doorward.yaml, keys, database, doorward.log. The next start uses it
again; delete the folder to start over. The test provider at http://127.0.0.1:${ports.provider} asks for no
password: use it for evaluation only. Ctrl+C stops everything.
`;
}

/**
 * How to call the program that runs as `script`: the single executable, installed by npm for all or in one
 * project, or from a checkout whose Node npm brings.
 */
export function programText(script: string, cwd: string): string {
  if (script === process.execPath) {
    const path = shortest(cwd, script);
    return quoted(isAbsolute(path) ? path : `./${path}`);
  }
  if (basename(script) === 'doorward' && !script.includes('/node_modules/')) return 'doorward';
  return script.endsWith('.ts') ? `npx node ${quoted(shortest(cwd, script))}` : 'npx doorward';
}

function shortest(cwd: string, path: string): string {
  const short = relative(cwd, path);
  return short.startsWith('..') || short === '' ? path : short;
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

// docs/reference/errors.md, from the one table of faults.

import { FAULTS } from '../../src/domain/service-error.ts';
import { table } from './table.ts';

export function errorsDocument(): string {
  const rows = Object.entries(FAULTS).map(([code, { status, exit, title }]) => [
    `\`${code}\``,
    String(status),
    String(exit),
    title,
  ]);
  return `# Errors

<!-- Written by scripts/reference-docs.ts: do not edit. -->

Each fault has a stable code. Programs get it as \`code\` in a problem document (RFC 9457) with the status below; the
command line ends with the exit code below, and with \`--json\` prints the code on its error stream. Pages show the title.

${table(['Code', 'Status', 'Exit', 'Title'], rows)}
Exit codes: 0 done, 1 failed, 2 wrong usage or bad configuration, 4 not allowed.
`;
}

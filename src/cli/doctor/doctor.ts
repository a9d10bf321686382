// `doorward doctor`: whether the service can work as it is configured, and what to do where it cannot (DESIGN
// 2.4).

import * as dns from 'node:dns/promises';
import { loadConfig } from '../../config/load.ts';
import { randomBytes } from '../../domain/secret.ts';
import { checkLines, checkTally } from '../check-text.ts';
import { alignedRows } from '../columns.ts';
import { type DoctorReport, examineService } from './report.ts';
import { printJson, type Terminal } from '../terminal.ts';

/** Answers the exit code: 1 when a check failed. Throws `config_invalid` (2) for a faulty configuration. */
export async function runDoctor(
  configFile: string,
  { json }: { readonly json: boolean },
  terminal: Terminal,
): Promise<number> {
  const report = await examineService(await loadConfig(configFile), {
    now: Date.now,
    lookup: async (name) => (await dns.lookup(name, { all: true })).map(({ address }) => address),
    // No share has it, so only a wildcard record answers.
    label: `doctor-${randomBytes(4).toString('hex')}`,
  });
  if (json) printJson(terminal, report);
  else {
    terminal.out(reportText(report));
    const all = report.groups.flatMap(({ checks }) => checks);
    terminal.err(`${report.passed ? 'Ready to run' : 'Not ready to run'}: ${checkTally(all)}\n`);
  }
  return report.passed ? 0 : FAILED;
}

function reportText({ groups, register }: DoctorReport): string {
  const sections = groups.map(({ name, checks }) => `${name}\n${checkLines(checks)}`);
  const rows = register.flatMap(({ provider, redirectUrl, backchannelLogoutUrl, postLogoutRedirectUrl }) => [
    [`  ${provider}`, 'redirect URL', redirectUrl],
    ...(backchannelLogoutUrl === null ? [] : [['', 'back-channel logout', backchannelLogoutUrl]]),
    ...(postLogoutRedirectUrl === null ? [] : [['', 'after logout', postLogoutRedirectUrl]]),
  ]);
  return [...sections, `Register at the providers:\n${alignedRows(rows)}`].join('\n');
}

const FAILED = 1;

// `doorward settings`: what the operator configured, as far as it concerns the account.

import type { Command } from 'commander';
import type { SettingsObject } from '../../wire/settings.ts';
import { alignedRows, tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addSettings(program: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(program, 'settings', ['doorward settings']).description(
      'show what the configuration means for the account: addresses, lifetimes, retention, limits, providers',
    ),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const settings = await (await connect(terminal, options)).settings();
      if (options.json) printJson(terminal, settings);
      else tell(settings, terminal);
    });
}

function tell(settings: SettingsObject, terminal: Terminal): void {
  const { addresses, lifetimes, retention, limits, brand, providers } = settings;
  const facts = [
    ['shares', addresses.shares],
    ['login', addresses.login],
    ['console', addresses.console],
    ['custom hosts', addresses.customHostsWithin ?? 'any host'],
    ['public certificates', addresses.automaticCertificates ? 'automatic, by ACME' : 'by the operator'],
    ['sessions', `expire after ${lifetimes.sessions}`],
    ['console sessions', `expire after ${lifetimes.consoleSessions}`],
    ['audit events', `kept for ${retention.auditEvents}`],
    ['ended sessions', `kept for ${retention.endedSessions}`],
    ['webhook deliveries', `kept for ${retention.webhookDeliveries}`],
    ['brand', brand.name],
    ['contact', brand.contact ?? 'none'],
  ] as const;
  const used = limits.map((each) => [each.limit, each.used?.toString() ?? '', String(each.allowed)]);
  terminal.out(`${alignedRows(facts)}\n${tableText([['LIMIT', 'USED', 'ALLOWED'], ...used], terminal)}`);
  if (providers.length === 0) return;
  const rows = providers.map(({ name, displayName, type }) => [name, displayName, type]);
  terminal.out(`\n${tableText([['PROVIDER', 'SHOWN AS', 'TYPE'], ...rows], terminal)}`);
}

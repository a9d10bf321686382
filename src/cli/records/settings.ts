// `doorward settings`: what the operator configured, as far as it concerns the account.

import type { Command } from 'commander';
import type {
  ConfigChoice,
  ConfigurationObject,
  SettingOrigin,
  SettingsObject,
} from '../../wire/settings.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function addSettings(program: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(program, 'settings', ['doorward settings']).description(
      'show what the configuration means for the account, and the key, file and line of each value',
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
  const { addresses, lifetimes, retention, limits, brand, providers, configuration } = settings;
  const from = originsIn(settings);
  const facts = [
    ['shares', addresses.shares, from('addresses.shares')],
    ['login', addresses.login, from('addresses.login')],
    ['console', addresses.console, from('addresses.console')],
    ['custom hosts', addresses.customHostsWithin ?? 'any host', from('addresses.customHostsWithin')],
    [
      'public certificates',
      addresses.automaticCertificates ? 'automatic, by ACME' : 'by the operator',
      from('addresses.automaticCertificates'),
    ],
    ['sessions', `expire after ${lifetimes.sessions}`, from('lifetimes.sessions')],
    ['console sessions', `expire after ${lifetimes.consoleSessions}`, from('lifetimes.consoleSessions')],
    ['audit events', `kept for ${retention.auditEvents}`, from('retention.auditEvents')],
    ['ended sessions', `kept for ${retention.endedSessions}`, from('retention.endedSessions')],
    ['webhook deliveries', `kept for ${retention.webhookDeliveries}`, from('retention.webhookDeliveries')],
    ['brand', brand.name, from('brand.name')],
    ['logo', brand.logo === null ? 'none' : 'an image', from('brand.logo')],
    ['contact', brand.contact ?? 'none', from('brand.contact')],
  ] as const;
  if (configuration !== null) terminal.out(`${configurationText(configuration)}\n\n`);
  terminal.out(`${tableText([['SETTING', 'VALUE', 'FROM'], ...facts], terminal)}\n`);
  const used = limits.map(({ limit, used: count, allowed }) => [
    limit,
    count?.toString() ?? '',
    String(allowed),
    from(`limits.${limit}`),
  ]);
  terminal.out(tableText([['LIMIT', 'USED', 'ALLOWED', 'FROM'], ...used], terminal));
  if (providers.length === 0) return;
  const rows = providers.map(({ name, displayName, type }) => [
    name,
    displayName,
    type,
    from(`providers.${name}`),
  ]);
  terminal.out(`\n${tableText([['PROVIDER', 'SHOWN AS', 'TYPE', 'FROM'], ...rows], terminal)}`);
}

function configurationText({ file, chosenBy, readAt }: ConfigurationObject): string {
  return `configuration: ${plain(file)} (${CHOSEN_BY[chosenBy]}), read ${minuteText(readAt)}`;
}

/** The words for where a value of the answer was read. */
function originsIn({ origins }: SettingsObject): (setting: string) => string {
  const words = new Map(origins.map((origin) => [origin.setting, originText(origin)]));
  return (setting) => words.get(setting) ?? '';
}

function originText({ key, from, line, isDefault }: SettingOrigin): string {
  if (from === 'program') return 'built in';
  if (from === 'default') return `default of ${key}`;
  const place = `${key}${line === null ? '' : `, line ${line}`}`;
  if (from === 'start') return `${place}: the file was changed; restart to apply`;
  return isDefault === true ? `${place} (the default)` : place;
}

const CHOSEN_BY: Readonly<Record<ConfigChoice, string>> = {
  option: 'named by --config',
  environment: 'named by DOORWARD_CONFIG',
  default: 'the default file',
};

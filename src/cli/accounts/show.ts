// `doorward account show NAME`: how much an account has of what is limited, and which gateways serve now,
// read from the store itself. Nothing of what an account has is shown.

import type { Command } from 'commander';
import type { AccountLimits } from '../../domain/account-limits.ts';
import { GATEWAY_SILENT_MS } from '../../domain/beat.ts';
import type { Account, AccountUsage } from '../../store/people/account.ts';
import type { Store } from '../../store/store.ts';
import { alignedRows, tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { configOption, jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { findAccount } from './operator-account.ts';
import { type ConfigOptions, withStore } from './operator-store.ts';

export function addAccountShow(account: Command, terminal: Terminal): void {
  newCommand(account, 'show', ['doorward account show acme'])
    .description('show how much of its limits an account uses, and the running gateways')
    .argument('<name>', 'the name of the account')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((name: string, options: ConfigOptions & { readonly json?: true }) =>
      withStore(options, async (store, config) => {
        const shown = await accountView(store, await findAccount(store, name), config.limits);
        if (options.json) printJson(terminal, shown);
        else tell(shown, terminal);
      }),
    );
}

/** Used and allowed, by limit; and the gateways that said lately that they live. */
export async function accountView(
  store: Pick<Store, 'accounts' | 'gateways'>,
  { id, name, createdAt, suspended }: Account,
  limits: AccountLimits,
) {
  const [usage, gateways] = await Promise.all([
    store.accounts.usage(id),
    store.gateways.living(GATEWAY_SILENT_MS),
  ]);
  return {
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    suspended,
    limits: (Object.keys(usage) as (keyof AccountUsage)[]).map((limit) => ({
      limit,
      used: usage[limit],
      allowed: limits[limit],
    })),
    gateways: gateways.map((gateway) => ({
      id: gateway.id,
      version: gateway.version,
      workers: gateway.workers,
      startedAt: new Date(gateway.startedAt).toISOString(),
    })),
  };
}

type View = Awaited<ReturnType<typeof accountView>>;

function tell({ id, name, suspended, createdAt, limits, gateways }: View, terminal: Terminal): void {
  const facts = [
    ['name', name],
    ['state', suspended ? 'suspended' : 'active'],
    ['created', minuteText(createdAt)],
    ['id', id],
  ] as const;
  const used = limits.map(({ limit, used: count, allowed }) => [limit, String(count), String(allowed)]);
  terminal.out(`${alignedRows(facts)}\n${tableText([['LIMIT', 'USED', 'ALLOWED'], ...used], terminal)}`);
  const running = gateways.map((each) => [
    each.id,
    each.version,
    String(each.workers),
    minuteText(each.startedAt),
  ]);
  terminal.out(
    running.length === 0
      ? '\nNo gateway is running.\n'
      : `\n${tableText([['GATEWAY', 'VERSION', 'WORKERS', 'STARTED'], ...running], terminal)}`,
  );
}

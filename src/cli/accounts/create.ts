// `doorward account create NAME --admin EMAIL`: the operator's bootstrap. It writes into the store itself,
// beside a running service, since without an account there is no API key to call with. The key is shown this
// once.

import type { Command } from 'commander';
import { hashApiKey, newApiKey } from '../../domain/api-key.ts';
import { parseEmailAddress } from '../../domain/email-address.ts';
import { OPERATOR } from '../../domain/actor.ts';
import { auditEvent } from '../../domain/audit-event.ts';
import { newId } from '../../domain/id.ts';
import type { Secret } from '../../domain/secret.ts';
import { secretStart } from '../../domain/secret-start.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { newAuthority } from '../../pki/authority.ts';
import type { Store } from '../../store/store.ts';
import type { Account } from '../../store/people/account.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { configOption, jsonOption, onceOption } from '../option-parsers.ts';
import { type ConfigOptions, withStore } from './operator-store.ts';
import { printJson, type Terminal } from '../terminal.ts';

type Options = ConfigOptions & { readonly admin: string; readonly json?: true };

export function addAccountCreate(account: Command, terminal: Terminal): void {
  newCommand(account, 'create', ['doorward account create acme --admin ann@example.com'])
    .description('create an account with an admin and an API key (shown only once)')
    .argument('<name>', '1 to 40 of a-z, 0-9 and hyphens')
    .addOption(onceOption('--admin <email>', 'email address of its first admin').makeOptionMandatory())
    .addOption(configOption())
    .addOption(jsonOption())
    .action((name: string, options: Options) =>
      withStore(options, async (store, config) => {
        const made = await createAccount(store, { name, adminEmail: options.admin, now: Date.now() });
        const { id, createdAt } = made.account;
        const apiKey = made.apiKey.reveal();
        if (options.json)
          return printJson(terminal, {
            account: { id, name, createdAt: new Date(createdAt).toISOString() },
            apiKey,
          });
        terminal.out(`${apiKey}\n`);
        terminal.err(
          `\n${alignedRows([
            ['account', name],
            ['id', id],
            ['admin', options.admin],
          ])}\nThis is its API key, shown only once. To use it: doorward login --url ${config.control.publicUrl.origin}\n`,
        );
      }),
    );
}

/** Throws `usage` for a bad name or address, `account_exists`. */
export async function createAccount(
  store: Store,
  {
    name,
    adminEmail: given,
    now,
  }: { readonly name: string; readonly adminEmail: string; readonly now: number },
): Promise<{ readonly account: Account; readonly apiKey: Secret }> {
  if (!ACCOUNT_NAME.test(name))
    throw new ServiceError('usage', `Cannot name an account "${name}": the name is not valid`, {
      hint: 'Use 1 to 40 of a-z, 0-9 and hyphens, with a letter or digit first and last.',
    });
  const adminEmail = parseEmailAddress(given);
  if (adminEmail === null)
    throw new ServiceError('usage', `Cannot make "${given}" the admin: the email address is not valid`);
  const account: Account = { id: newId('acc'), name, createdAt: now, suspended: false };
  const apiKey = newApiKey();
  const keyId = newId('key');
  const kept = {
    account,
    adminEmail,
    apiKey: {
      id: keyId,
      accountId: account.id,
      name: FIRST_KEY,
      hash: hashApiKey(apiKey),
      start: secretStart(apiKey),
      createdAt: now,
    },
    authority: newAuthority(account, now),
  };
  const about = { at: now, accountId: account.id, email: adminEmail, actor: OPERATOR };
  const made = { before: null, after: { name, admin: adminEmail } };
  const key = {
    before: null,
    after: { name: FIRST_KEY, start: kept.apiKey.start, role: 'admin' },
    secrets: ['key'],
  };
  const events = [
    auditEvent({ ...about, kind: 'account.created', reason: name, changes: made }),
    auditEvent({ ...about, kind: 'api_key.created', reason: keyId, changes: key }),
  ];
  await store.together(async () => {
    await store.accounts.create(kept);
    await store.audit.append(events);
  });
  return { account, apiKey };
}

const FIRST_KEY = 'first';
/** It stands in addresses (`/pki/<account>/…`). */
const ACCOUNT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

// GET /v1/settings: what the operator's configuration means for the caller's account, to be read. Each value
// is taken by its name, and the schema keeps out whatever it does not name: nothing of folders, listeners,
// proxies, databases, secrets or other accounts is answered. The configuration's name and lines are for
// admins.

import { z } from '@hono/zod-openapi';
import { formatDuration } from '../../domain/duration.ts';
import type { AccountId } from '../../domain/id.ts';
import { DEFINITION_TYPES, definitionTypeOf } from '../../domain/provider-kinds.ts';
import { shareOrigin } from '../../domain/share-name.ts';
import type { AccountUsage } from '../../store/people/account.ts';
import { deliveriesKeptMs } from '../../store/webhooks/logged-delivery.ts';
import {
  CONFIG_CHOICES,
  type ConfigurationObject,
  ORIGIN_KINDS,
  type SettingsObject,
  type SettingsProvider,
} from '../../wire/settings.ts';
import { problems } from '../answers.ts';
import { isAllowed } from '../authorize.ts';
import { SESSION_LIFETIME_MS } from '../console/complete.ts';
import { shownAs } from '../console/console-settings.ts';
import type { Caller, ControlSettings, ReadConfiguration } from '../control-deps.ts';
import { timeText } from '../time-text.ts';
import { operation } from '../operation.ts';
import { shownIcon } from '../providers/schema.ts';
import { limitObjects, limitSchema } from './limit-objects.ts';
import { settingOrigins } from './setting-origins.ts';

const duration = z.string().openapi({ example: '6h' });

const settingsSchema = z
  .object({
    addresses: z.object({
      shares: z.string().openapi({
        description: 'Where shares answer. `*` stands for the name of a share.',
        example: 'https://*.share.example.com',
      }),
      login: z.url().openapi({ description: 'Where visitors log in.' }),
      console: z.url().openapi({ description: 'Where the console and this API answer.' }),
      customHostsWithin: z.string().nullable().openapi({
        description:
          'The domain that a custom host of a share with a login must lie in. Null when any host can have a login.',
      }),
      automaticCertificates: z.boolean().openapi({
        description: 'Whether the gateway orders certificates of public hosts by ACME.',
      }),
    }),
    lifetimes: z.object({
      sessions: duration.openapi({ description: 'How long a session lasts.' }),
      consoleSessions: duration.openapi({ description: 'How long a login to the console lasts.' }),
    }),
    retention: z.object({
      auditEvents: duration,
      endedSessions: duration,
      webhookDeliveries: duration,
    }),
    limits: z.array(limitSchema),
    brand: z.object({
      name: z.string(),
      logo: z.string().nullable().openapi({ description: 'A `data:` URL.' }),
      contact: z.string().nullable().openapi({ description: 'An email address or URL for help.' }),
    }),
    providers: z
      .array(
        z.object({
          name: z.string(),
          displayName: z.string().openapi({ description: 'As visitors see it.' }),
          icon: shownIcon,
          type: z.enum(DEFINITION_TYPES),
        }),
      )
      .openapi({ description: 'The providers of the configuration, which every account can use.' }),
    origins: z
      .array(
        z.object({
          setting: z.string().openapi({
            description: 'The place of the value in this answer.',
            example: 'lifetimes.sessions',
          }),
          key: z.string().nullable().openapi({
            description: 'The key of `doorward.yaml` that sets it. Null where none does.',
            example: 'oauth.session_lifetime',
          }),
          from: z.enum(ORIGIN_KINDS).openapi({
            description:
              'Where the value comes from. `file`: the file contains the key. `default`: it does not. `program`: the value is the same in every installation. `start`: the value is from the start of the service; the file was changed since, and the change applies after a restart.',
          }),
          isDefault: z.boolean().nullable().openapi({
            description: 'Whether the value is the default. Null where there is no default.',
          }),
          line: z.int().min(1).nullable().openapi({
            description: 'The line of the key in the file. Only admins with full access get it.',
          }),
        }),
      )
      .openapi({ description: 'Where each of these values was read.' }),
    configuration: z
      .object({
        file: z.string().openapi({ description: 'Without its folder.', example: 'doorward.yaml' }),
        chosenBy: z.enum(CONFIG_CHOICES).openapi({
          description:
            'What names the file: the option `--config`, the environment variable `DOORWARD_CONFIG`, or neither.',
        }),
        readAt: z.iso.datetime().openapi({ description: 'When the service last read it.' }),
      })
      .nullable()
      .openapi({
        description: 'The file of the configuration. Null unless the caller is an admin with full access.',
      }),
  })
  .openapi('Settings') satisfies z.ZodType<SettingsObject>;

export const showSettings = operation({
  needs: 'account.read',
  route: {
    method: 'get',
    path: '/v1/settings',
    operationId: 'showSettings',
    summary: 'Show the settings',
    description:
      'Shows what the configuration of the service means for the account: addresses, lifetimes, retention, limits and their use, the brand, and providers, and where each value was read. Only the operator changes it.',
    responses: {
      200: { description: 'The settings.', content: { 'application/json': { schema: settingsSchema } } },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const caller = c.get('caller');
    const { accountId } = caller;
    const usage = await deps.store.accounts.usage(accountId);
    return c.json(settingsSchema.parse(settingsObject(deps.settings(), { caller, usage })), 200);
  },
});

function settingsObject(
  settings: ControlSettings,
  { caller, usage }: { readonly caller: Caller; readonly usage: AccountUsage },
): SettingsObject {
  const { shareBase, endpointUrl, cookieDomain, console, kept, configuration } = settings;
  const limits = limitObjects(settings.limits, usage);
  const providers = configuredProviders(settings, caller.accountId);
  const tellsFile = isAllowed(caller, 'configuration.read');
  const { name, logo, contact } = console.brand;
  return {
    addresses: {
      shares: shareOrigin('*', shareBase),
      login: endpointUrl.origin,
      console: console.publicUrl.origin,
      customHostsWithin: shareBase.scheme === 'https' ? null : cookieDomain,
      automaticCertificates: settings.automaticCertificates,
    },
    lifetimes: {
      sessions: formatDuration(settings.sessionLifetimeMs),
      consoleSessions: formatDuration(SESSION_LIFETIME_MS),
    },
    retention: {
      auditEvents: formatDuration(kept.auditRetentionMs),
      endedSessions: formatDuration(kept.endedRetentionMs),
      webhookDeliveries: formatDuration(deliveriesKeptMs(kept.auditRetentionMs)),
    },
    limits,
    brand: { name, logo, contact },
    providers,
    origins: settingOrigins(settings, { limits, providers }, tellsFile),
    configuration: tellsFile ? configurationObject(configuration) : null,
  };
}

function configurationObject({ file, chosenBy, readAt }: ReadConfiguration): ConfigurationObject {
  return { file, chosenBy, readAt: timeText(readAt) };
}

function configuredProviders(
  { providersOf, console }: ControlSettings,
  accountId: AccountId,
): readonly SettingsProvider[] {
  return providersOf(accountId)
    .filter((provider) => provider.accountId === null)
    .map(({ name, type }) => {
      const { displayName, icon } = shownAs(console.findProvider(name) ?? { name });
      return { name, displayName, icon, type: definitionTypeOf(type) };
    });
}

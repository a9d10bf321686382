// GET /v1/settings: what the operator's configuration means for the caller's account, to be read. Each value
// is taken by its name, and the schema keeps out whatever it does not name: nothing of files, listeners,
// proxies, databases, secrets or other accounts is answered.

import { z } from '@hono/zod-openapi';
import type { AccountLimits } from '../../domain/account-limits.ts';
import { formatDuration } from '../../domain/duration.ts';
import type { AccountId } from '../../domain/id.ts';
import { DEFINITION_TYPES, definitionTypeOf } from '../../domain/provider-kinds.ts';
import { shareOrigin } from '../../domain/share-name.ts';
import type { AccountUsage } from '../../store/people/account.ts';
import { deliveriesKeptMs } from '../../store/webhooks/logged-delivery.ts';
import type { LimitObject, SettingsObject, SettingsProvider } from '../../wire/settings.ts';
import { problems } from '../answers.ts';
import { SESSION_LIFETIME_MS } from '../console/complete.ts';
import { displayNameOf } from '../console/console-settings.ts';
import type { ControlSettings } from '../control-deps.ts';
import { operation } from '../operation.ts';

const duration = z.string().openapi({ example: '6h' });
const count = z.int().min(0);

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
    limits: z.array(
      z.object({
        limit: z.string().openapi({ example: 'shares' }),
        used: count.nullable().openapi({
          description: 'How much of it the account uses. Null where that is not counted.',
        }),
        allowed: count,
      }),
    ),
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
          type: z.enum(DEFINITION_TYPES),
        }),
      )
      .openapi({ description: 'The providers of the configuration, which every account can use.' }),
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
      'Shows what the configuration of the service means for the account: addresses, lifetimes, retention, limits and their use, the brand, and providers. Only the operator changes it.',
    responses: {
      200: { description: 'The settings.', content: { 'application/json': { schema: settingsSchema } } },
      ...problems(),
    },
  },
  make: (deps) => async (c) => {
    const { accountId } = c.get('caller');
    const usage = await deps.store.accounts.usage(accountId);
    return c.json(settingsSchema.parse(settingsObject(deps.settings(), accountId, usage)), 200);
  },
});

function settingsObject(
  settings: ControlSettings,
  accountId: AccountId,
  usage: AccountUsage,
): SettingsObject {
  const { shareBase, endpointUrl, cookieDomain, console, kept, limits } = settings;
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
    limits: limitObjects(limits, usage),
    brand: { name, logo, contact },
    providers: configuredProviders(settings, accountId),
  };
}

/** In the order in which the configuration describes them. */
function limitObjects(limits: AccountLimits, usage: AccountUsage): readonly LimitObject[] {
  const used = new Map(Object.entries(usage));
  return Object.entries(limits).map(([limit, allowed]) => ({
    limit,
    used: used.get(limit) ?? null,
    allowed,
  }));
}

function configuredProviders(
  { providersOf, console }: ControlSettings,
  accountId: AccountId,
): readonly SettingsProvider[] {
  return providersOf(accountId)
    .filter((provider) => provider.accountId === null)
    .map(({ name, type }) => ({
      name,
      displayName: displayNameOf(console.findProvider(name) ?? { name }),
      type: definitionTypeOf(type),
    }));
}

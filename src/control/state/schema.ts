// The schemas of an account's state, and of what applying it answers. A thing has the fields of its own
// operations; whether they mean something is judged where those are.

import { z } from '@hono/zod-openapi';
import {
  type AccountState,
  type ApplyAnswer,
  type ApplyInput,
  STATE_ACTIONS,
  THING_KINDS,
} from '../../wire/state.ts';
import { policyChangesSchema } from '../certificates/schema.ts';
import { newHostSchema } from '../hosts/schema.ts';
import { stateProviderSchema } from '../providers/schema.ts';
import { newShareSchema } from '../shares/schema.ts';
import { DURATION, NAME } from '../text-patterns.ts';
import { newWebhookSchema } from '../webhooks/schema.ts';

/** Of each kind: as many as an account may have, unless the operator allows more. */
const MOST_THINGS = 10_000;
/** Longer than any name or duration. */
const text = z.string().max(300);

const share = z
  .strictObject({
    ...newShareSchema.shape,
    name: text.openapi({ pattern: NAME, example: 'demo' }),
    tunnel: z.literal('reserved').optional().openapi({
      description: 'For a share that agents serve, instead of `target`.',
    }),
  })
  .openapi('StateShare');

const token = z
  .strictObject({
    name: text.openapi({ pattern: NAME, example: 'deploy-bot' }),
    shares: z
      .array(text)
      .max(100)
      .openapi({ description: 'Names of shares.', example: ['wiki'] }),
    expiresAt: z.iso.datetime().optional().openapi({
      description: 'When the token expires. Another time replaces the token.',
    }),
    expiresIn: text.optional().openapi({
      pattern: DURATION,
      description: 'Instead of `expiresAt`: how long a token is valid that this creates.',
      example: '90d',
    }),
  })
  .openapi('StateToken');

const webhook = z
  .strictObject({
    ...newWebhookSchema.shape,
    enabled: z.boolean().optional().openapi({ description: 'Default true.' }),
    secret: z.string().min(1).max(300).optional().openapi({
      description: 'The secret that signs deliveries: 24 to 300 printable ASCII characters. Never shown.',
    }),
  })
  .openapi('StateWebhook');

export const stateSchema = z
  .strictObject({
    providers: z.array(stateProviderSchema).max(MOST_THINGS).optional(),
    shares: z.array(share).max(MOST_THINGS).optional(),
    hosts: z.array(newHostSchema).max(MOST_THINGS).optional(),
    tokens: z.array(token).max(MOST_THINGS).optional(),
    webhooks: z.array(webhook).max(MOST_THINGS).optional(),
    certificatePolicy: policyChangesSchema.optional(),
  })
  .openapi('AccountState', {
    description: 'A section that is left out is not managed.',
  }) satisfies z.ZodType<AccountState>;

export const applyInputSchema = z
  .strictObject({
    state: stateSchema,
    prune: z.boolean().optional().openapi({
      description: 'Deletes what the sections of the state do not have. Default false.',
    }),
    dryRun: z.boolean().optional().openapi({
      description: 'Answers what would be done, and changes nothing. Default false.',
    }),
    plan: text.optional().openapi({
      description: 'The `plan` of a dry run: applies exactly those changes, or nothing.',
    }),
  })
  .openapi('ApplyState') satisfies z.ZodType<ApplyInput>;

const value = z.string().nullable().openapi({ description: 'A list or an object is JSON. Null for none.' });
const kind = z.enum([...THING_KINDS]);
const thing = z.object({ kind, name: z.string() }).openapi('StateThing');

export const applyAnswerSchema = z
  .object({
    applied: z.boolean().openapi({ description: 'False for a dry run, and if there was nothing to do.' }),
    plan: z.string(),
    changes: z.array(
      z
        .object({
          action: z.enum([...STATE_ACTIONS]),
          kind,
          name: z.string(),
          fields: z.array(
            z
              .object({
                name: z.string(),
                before: value.optional(),
                after: value.optional(),
                secret: z.literal(true).optional(),
              })
              .openapi('StateField'),
          ),
        })
        .openapi('StateChange'),
    ),
    unchanged: z.array(thing),
    kept: z
      .array(thing)
      .openapi({ description: 'What the sections of the state do not have. Deleted with `prune`.' }),
    secrets: z
      .array(z.object({ kind: z.enum(['token', 'webhook']), name: z.string(), secret: z.string() }))
      .openapi({ description: 'Tokens and secrets of webhooks that were created. Shown only once.' }),
    notes: z.array(z.string()),
  })
  .openapi('AppliedState') satisfies z.ZodType<ApplyAnswer>;

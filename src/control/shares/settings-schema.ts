// The schemas of a share's settings, made of the record of them: as callers say them, and as they are shown.

import { z } from '@hono/zod-openapi';
import { MAX_APP_ICON_LENGTH } from '../../domain/app-icon.ts';
import type { Part, Setting } from '../../domain/share-setting.ts';
import { type SaidSettings, SETTINGS, type ShownSettings } from '../../domain/share-values.ts';
import type { TextSyntax } from '../../domain/text-syntax.ts';
import { DURATION, EMAIL_GLOB, GLOB } from '../text-patterns.ts';
import { RULE_EXAMPLE, rulesSchema } from './rule-schema.ts';

/** More than a name, a glob or an origin ever needs (a host name has at most 253 characters). */
const MAX_TEXT = 300;
const text = z.string().max(MAX_TEXT);
/** Of what is longer than a name. */
const MAX_LENGTHS: Partial<Readonly<Record<TextSyntax, number>>> = { appIcon: MAX_APP_ICON_LENGTH };
const PATTERNS: Partial<Readonly<Record<TextSyntax, string>>> = {
  emailGlob: EMAIL_GLOB,
  glob: GLOB,
  duration: DURATION,
};

/** For an object's shape. Each may be left out. */
export const saidSettings = shapeOf(saidSchema) as {
  readonly [N in keyof SaidSettings]-?: z.ZodType<SaidSettings[N]>;
};

/** For an object's shape. */
export const shownSettings = shapeOf(shownSchema) as {
  readonly [N in keyof ShownSettings]: z.ZodType<ShownSettings[N]>;
};

function shapeOf(schemaOf: (setting: Setting, name: string) => z.ZodType): unknown {
  return Object.fromEntries(SETTINGS.map(([name, setting]) => [name, schemaOf(setting, name)]));
}

function saidSchema(setting: Setting, name: string): z.ZodType {
  const { description } = setting;
  switch (setting.kind) {
    case 'text':
    case 'duration':
      return saidText(setting);
    case 'names':
      return namesSchema(setting, 1).optional().openapi({ description });
    case 'texts': {
      const { syntax, most, example } = setting;
      return z
        .array(text.openapi({ ...patternOf(syntax) }))
        .max(most)
        .optional()
        .openapi({ description, ...(example === undefined ? {} : { example: [...example] }) });
    }
    case 'rules':
      return rulesSchema.optional().openapi({ description, example: [...RULE_EXAMPLE] });
    case 'choice':
      return z.enum(Object.keys(setting.choices)).optional().openapi({ description });
    case 'section': {
      const required = z.boolean().optional().openapi({ description: setting.required.description });
      return z
        .strictObject({ required, ...partsOf(setting.parts, saidText) })
        .openapi(`${pascalCase(name)}Changes`)
        .nullable()
        .optional()
        .openapi({ description });
    }
    default:
      return z.boolean().optional().openapi({ description });
  }
}

function saidText(setting: Extract<Setting, { readonly kind: 'text' | 'duration' }> | Part): z.ZodType {
  const { description, example } = setting;
  const syntax = setting.kind === 'duration' ? 'duration' : setting.syntax;
  return z
    .string()
    .max(MAX_LENGTHS[syntax] ?? MAX_TEXT)
    .nullable()
    .optional()
    .openapi({ description, ...patternOf(syntax), example });
}

function shownSchema(setting: Setting, name: string): z.ZodType {
  switch (setting.kind) {
    case 'text':
    case 'duration':
      return z.string().nullable().openapi({ example: setting.example });
    case 'names':
      return namesSchema(setting, 2);
    case 'texts':
      return z.array(z.string());
    case 'rules':
      return rulesSchema;
    case 'choice':
      return z.enum(Object.keys(setting.choices));
    case 'section':
      return z
        .object({ required: z.literal(true), ...partsOf(setting.parts, shownSchema) })
        .openapi(`${pascalCase(name)}Rule`)
        .nullable();
    case 'confirmation':
      return z.boolean().openapi({ description: setting.shown, example: false });
    case 'switch':
      return z.boolean();
  }
}

/** One, or a list of at least so many. */
function namesSchema({ most, example }: Extract<Setting, { readonly kind: 'names' }>, least: number) {
  const several = z.array(text).min(least).max(most);
  return z
    .union([text, several])
    .nullable()
    .openapi({
      type: ['string', 'array', 'null'],
      maxLength: MAX_TEXT,
      items: { type: 'string', maxLength: MAX_TEXT },
      minItems: least,
      maxItems: most,
      example,
    });
}

function partsOf(
  parts: Readonly<Record<string, Part>>,
  schemaOf: (part: Part, name: string) => z.ZodType,
): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, schemaOf(part, name)]));
}

function patternOf(syntax: TextSyntax): { readonly pattern?: string } {
  const pattern = PATTERNS[syntax];
  return pattern === undefined ? {} : { pattern };
}

function pascalCase(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

// The kinds of providers as an address of the console names them, and what their forms begin with.

import {
  DEFINITION_TYPES,
  type DefinitionType,
  definitionTypeOf,
  kindOfDefinition,
} from '../../../src/domain/provider-kinds.ts';
import { PRESET_IDS, PRESET_TYPE, type PresetId } from '../../../src/domain/provider-presets.ts';

export const CHOICES = DEFINITION_TYPES.map((value) => {
  const { title, about } = kindOfDefinition(value);
  return { value, title, about };
});

/** Until somebody chooses. */
export const [FIRST_TYPE = definitionTypeOf(PRESET_TYPE)] = DEFINITION_TYPES;

/** Null for what is no type: an address may say anything. */
export function typeOf(text: string): DefinitionType | null {
  return DEFINITION_TYPES.find((type) => type.toLowerCase() === text.toLowerCase()) ?? null;
}

/** Null for none. */
export function presetNamed(text: string): PresetId | null {
  return PRESET_IDS.find((id) => id === text) ?? null;
}

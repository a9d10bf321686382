// Checks that belong together, under one heading.

import type { Check } from '../../domain/check.ts';

export type CheckGroup = { readonly name: string; readonly checks: readonly Check[] };

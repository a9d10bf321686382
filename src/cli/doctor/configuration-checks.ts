// What `config check` warns of, as checks: with a placeholder in it nobody can log in, or find the service.

import type { Config } from '../../config/config.ts';
import { configWarnings } from '../../config/warnings.ts';
import { type Check, fails, passes, warns } from '../../domain/check.ts';

export function configurationChecks(config: Config): readonly Check[] {
  const warnings = configWarnings(config);
  if (warnings.length === 0) return [passes('values', 'no placeholders, and no missing TLS')];
  return warnings.map(({ kind, path, found, wanted }) =>
    (kind === 'placeholder' ? fails : warns)(path, found, `Put ${wanted} there.`),
  );
}

// GET /auth/providers: what one can log in with, for the login page. Only the configuration's, which every
// account shares: what an account defined is its own matter.

import type { ControlDeps } from '../control-deps.ts';
import { displayNameOf } from './console-settings.ts';

export type LoginWay = {
  readonly name: string;
  readonly type: string;
  /** What people see. */
  readonly displayName: string;
};

export function loginWays({ settings }: Pick<ControlDeps, 'settings'>): {
  readonly providers: readonly LoginWay[];
} {
  const { configuredProviders, findProvider } = settings().console;
  const providers = configuredProviders.flatMap((name) => {
    const provider = findProvider(name);
    return provider === undefined
      ? []
      : [{ name, type: provider.type, displayName: displayNameOf(provider) }];
  });
  return { providers };
}

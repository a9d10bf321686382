// GET /auth/providers: what one can log in with, for the login page. Only the configuration's, which every
// account shares: what an account defined is its own matter.

import type { ControlDeps } from '../control-deps.ts';

export type LoginWay = { readonly name: string; readonly type: string };

export function loginWays({ settings }: Pick<ControlDeps, 'settings'>): {
  readonly providers: readonly LoginWay[];
} {
  const { configuredProviders, findProvider } = settings().console;
  const providers = configuredProviders.flatMap((name) => {
    const type = findProvider(name)?.type;
    return type === undefined ? [] : [{ name, type }];
  });
  return { providers };
}

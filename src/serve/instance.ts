// Which installation a listener is of: all of its gateways have the same signing key, and no other has it.

import type { Config } from '../config/config.ts';
import { assertionKey } from '../login/assertion-key.ts';

/** Public: the id of the key that the OAuth frontend publishes. */
export function instanceId({ oauth }: Config): string {
  return assertionKey(oauth.keys.signingKey.reveal()).kid;
}

/** Those that a process of this installation may have, which was started before the keys were rotated. */
export function instanceIds(config: Config): readonly string[] {
  const { keys, previousKeys } = config.oauth;
  return [keys, ...previousKeys].map(({ signingKey }) => assertionKey(signingKey.reveal()).kid);
}

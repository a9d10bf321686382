// What a backend is told as `Host` where it is not the visitor's: its own host and port, or a host in words.

import { ServiceError } from './service-error.ts';
import { normaliseHost } from './host-name.ts';

/** The word for the host and port of the target itself. */
export const TARGET_HOST = 'target';

/**
 * `target`, or a host with or without a port, in lower case. Nothing that could end the header, or that two
 * readers could take for two hosts; an address in the one notation that all read alike. Throws
 * `validation_failed`.
 */
export function parseHostHeader(text: string): string {
  const [, port] = text.length <= MAX_LENGTH ? (HOST.exec(text) ?? []) : [];
  const host = port === undefined ? null : normaliseHost(text);
  if (host !== null) return `${host}${port}`;
  throw new ServiceError(
    'validation_failed',
    `Cannot use "${text.slice(0, 100)}" as a Host header: it is no host with or without a port`,
  );
}

/** No character here means anything but itself in a header. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])((?::[1-9]\d{0,4})?)$/i;
/** A name of 253 characters, and a port. */
const MAX_LENGTH = 259;

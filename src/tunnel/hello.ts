// The first words of an agent on its control connection.

export type Hello = {
  /** The target as a Host header names it. */
  readonly host: string;
  /** Requests that are over are to be told. */
  readonly watches: boolean;
};

export function writeHello({ host, watches }: Hello): Buffer {
  return Buffer.from(JSON.stringify({ host, watches }));
}

/** Null for what no agent says. */
export function readHello(payload: Buffer): Hello | null {
  try {
    const hello: unknown = JSON.parse(payload.toString());
    if (typeof hello !== 'object' || hello === null) return null;
    const { host, watches } = hello as Readonly<Record<string, unknown>>;
    // It is written into heads of requests.
    return typeof host === 'string' && HOST.test(host) && typeof watches === 'boolean'
      ? { host, watches }
      : null;
  } catch {
    return null;
  }
}

const HOST = /^[A-Za-z0-9._:[\]-]{1,261}$/;

// Node's clients take a connection that is not theirs to make by callback (`createConnection` of a request);
// what opens one here answers a promise.

/** `connect` is called once Node wants the connection. */
export function awaitedConnection<Connection>(
  connect: () => Promise<Connection>,
): (options: unknown, done: (error: Error | null, connection: Connection) => void) => undefined {
  return (_options, done) => {
    const give = async () => {
      try {
        done(null, await connect());
      } catch (error) {
        // Node looks at no connection beside a fault.
        done(error as Error, undefined as Connection);
      }
    };
    void give();
    return undefined;
  };
}

// A gRPC server and a client of it, by gRPC's own implementation for Node: messages are bytes, so that no
// schema has to be compiled. What is asked of the package is typed here, as far as the tests ask for it.

import { createRequire } from 'node:module';
import type { TestContext } from 'node:test';

const require = createRequire(import.meta.url);

/** Why there is none, for `skip`; false when there is. */
export const NO_GRPC: string | false = isInstalled() ? false : '@grpc/grpc-js is not installed (npm ci)';

export type Metadata = {
  set(name: string, value: string | Buffer): void;
  get(name: string): (string | Buffer)[];
};
export type Status = { readonly code: number; readonly details: string; readonly metadata: Metadata };
export type ServerCall = {
  readonly request: Buffer;
  readonly metadata: Metadata;
  readonly cancelled: boolean;
  sendMetadata(metadata: Metadata): void;
  write(message: Buffer): boolean;
  end(trailers?: Metadata): void;
  on(event: string, listener: (value: never) => void): void;
  getDeadline(): Date | number;
};
export type Reply = (error: Partial<Status> | null, message?: Buffer | null, trailers?: Metadata) => void;
export type ClientCall = AsyncIterable<Buffer> & {
  write(message: Buffer): boolean;
  end(): void;
  cancel(): void;
  on(event: string, listener: (value: never) => void): void;
};
export type Client = {
  close(): void;
  makeUnaryRequest(...input: unknown[]): ClientCall;
  makeClientStreamRequest(...input: unknown[]): ClientCall;
  makeServerStreamRequest(...input: unknown[]): ClientCall;
  makeBidiStreamRequest(...input: unknown[]): ClientCall;
};
type Grpc = {
  readonly Server: new (options?: object) => {
    addService(service: object, handlers: object): void;
    bindAsync(address: string, credentials: unknown, done: (error: Error | null, port: number) => void): void;
    forceShutdown(): void;
  };
  readonly Client: new (address: string, credentials: unknown, options: object) => Client;
  readonly Metadata: new () => Metadata;
  readonly ServerCredentials: {
    createInsecure(): unknown;
    createSsl(root: null, pairs: readonly { private_key: Buffer; cert_chain: Buffer }[]): unknown;
  };
  readonly credentials: { createInsecure(): unknown; createSsl(root: Buffer): unknown };
};

export function grpc(): Grpc {
  return require('@grpc/grpc-js') as Grpc;
}

export type Handlers = {
  readonly unary?: (call: ServerCall, reply: Reply) => void;
  readonly up?: (call: ServerCall, reply: Reply) => void;
  readonly down?: (call: ServerCall) => void;
  readonly both?: (call: ServerCall) => void;
};

/** A server with one method of each kind, on a free port; stopped with the test. */
export async function startGrpc(
  t: TestContext,
  handlers: Handlers,
  tls: { readonly key: string; readonly certificate: string } | null = null,
): Promise<number> {
  const { Server, ServerCredentials } = grpc();
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  server.addService(SERVICE, handlers);
  const credentials =
    tls === null
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) },
        ]);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
    error === null ? resolve(port) : reject(error),
  );
  t.after(() => server.forceShutdown());
  return await promise;
}

/** A client that calls a port of loopback as `host`, over TLS that it checks; closed with the test. */
export function grpcClient(
  t: TestContext,
  port: number,
  { host, certificate }: { readonly host: string; readonly certificate: string },
): Client {
  const { Client, credentials } = grpc();
  const client = new Client(`127.0.0.1:${port}`, credentials.createSsl(Buffer.from(certificate)), {
    'grpc.ssl_target_name_override': host,
    'grpc.default_authority': host,
    'grpc.max_receive_message_length': -1,
    'grpc.enable_retries': 0,
  });
  t.after(() => client.close());
  return client;
}

export type Ended = {
  readonly messages: readonly Buffer[];
  readonly head: Metadata | null;
  readonly status: Status;
};

/** Resolves with all that came, however the call ended. `end` the sending side oneself. */
export function collect(call: ClientCall, onMessage: (message: Buffer) => void = () => {}): Promise<Ended> {
  const messages: Buffer[] = [];
  let head: Metadata | null = null;
  const { promise, resolve } = Promise.withResolvers<Ended>();
  call.on('error', () => {});
  call.on('metadata', (given: Metadata) => {
    head = given;
  });
  call.on('data', (message: Buffer) => {
    messages.push(message);
    onMessage(message);
  });
  call.on('status', (status: Status) => resolve({ messages, head, status }));
  return promise;
}

export type UnaryOptions = { readonly metadata?: Metadata; readonly deadline?: number };

/** One call with one message each way. */
export async function unary(
  client: Client,
  message: Buffer,
  { metadata = metadataOf({}), deadline = Infinity }: UnaryOptions = {},
): Promise<Ended> {
  const answer = Promise.withResolvers<Buffer[]>();
  const call = client.makeUnaryRequest(
    METHODS.unary,
    bytes,
    bytes,
    message,
    metadata,
    { deadline },
    (error: Error | null, reply?: Buffer) => answer.resolve(error === null && reply ? [reply] : []),
  );
  const ended = await collect(call);
  return { ...ended, messages: await answer.promise };
}

export function metadataOf(fields: Readonly<Record<string, string | Buffer>>): Metadata {
  const metadata = new (grpc().Metadata)();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return metadata;
}

export function bytes(message: Buffer): Buffer {
  return message;
}

export const METHODS = {
  unary: '/test.Bytes/Unary',
  up: '/test.Bytes/Up',
  down: '/test.Bytes/Down',
  both: '/test.Bytes/Both',
} as const;

const SERVICE = Object.fromEntries(
  Object.entries(METHODS).map(([name, path]) => [
    name,
    {
      path,
      requestStream: name === 'up' || name === 'both',
      responseStream: name === 'down' || name === 'both',
      requestSerialize: bytes,
      requestDeserialize: bytes,
      responseSerialize: bytes,
      responseDeserialize: bytes,
    },
  ]),
);

function isInstalled(): boolean {
  try {
    require.resolve('@grpc/grpc-js');
    return true;
  } catch {
    return false;
  }
}

// A collector of traces: takes OTLP over HTTP as JSON, and reads it strictly (opentelemetry-proto,
// trace/v1/trace.proto in its JSON form). What is not as it should be is kept as a fault.

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';

export type CollectedSpan = {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly kind: number;
  readonly ms: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
};

export type OtlpCollector = {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  readonly faults: readonly string[];
  readonly authorizations: ReadonlySet<string | undefined>;
  readonly close: () => Promise<void>;
};

export async function startOtlpCollector(port = 0): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const faults: string[] = [];
  const authorizations = new Set<string | undefined>();
  const take = async (request: IncomingMessage): Promise<number> => {
    authorizations.add(request.headers.authorization);
    if (request.method !== 'POST' || request.url !== '/v1/traces') return 404;
    if (request.headers['content-type'] !== 'application/json') return 415;
    const parsed = EXPORT.safeParse(JSON.parse(await bodyOf(request)));
    if (!parsed.success) faults.push(z.prettifyError(parsed.error));
    else spans.push(...spansIn(parsed.data));
    return 200;
  };
  const server = createServer((request, response) => {
    take(request).then(
      (status) => response.writeHead(status, { 'content-type': 'application/json' }).end('{}'),
      (error: unknown) => {
        faults.push(String(error));
        response.writeHead(400).end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    faults,
    authorizations,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (request.headers['content-encoding'] !== 'gzip') return text(request);
  return (await promisify(gunzip)(Buffer.concat(await Array.fromAsync(request)))).toString();
}

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const id = (bytes: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${2 * bytes}}$`));
const nanoseconds = z.string().regex(/^\d{19}$/);
const span = z
  .strictObject({
    traceId: id(16),
    spanId: id(8),
    parentSpanId: id(8).optional(),
    traceState: z.string().optional(),
    name: z.string().min(1),
    kind: z.union([z.literal(2), z.literal(3)]),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    droppedAttributesCount: z.literal(0),
    events: z.array(z.never()),
    droppedEventsCount: z.literal(0),
    links: z.array(z.never()),
    droppedLinksCount: z.literal(0),
    status: z.strictObject({ code: z.union([z.literal(0), z.literal(2)]) }),
    flags: z.int(),
  })
  .refine(({ startTimeUnixNano: start, endTimeUnixNano: end }) => BigInt(start) <= BigInt(end), 'ends first');
const EXPORT = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes, droppedAttributesCount: z.literal(0) }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.literal('doorward'), version: z.string() }),
          spans: z.array(span).min(1),
        }),
      ),
    }),
  ),
});

function spansIn({ resourceSpans }: z.infer<typeof EXPORT>): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((each) => ({
        service: String(valuesIn(resource.attributes)['service.name']),
        traceId: each.traceId,
        spanId: each.spanId,
        parentId: each.parentSpanId ?? null,
        name: each.name,
        kind: each.kind,
        ms: Number(BigInt(each.endTimeUnixNano) - BigInt(each.startTimeUnixNano)) / 1e6,
        attributes: valuesIn(each.attributes),
        isError: each.status.code === 2,
      })),
    ),
  );
}

function valuesIn(list: z.infer<typeof attributes>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(list.map((each) => [each.key, Object.values(each.value)[0] as string | number]));
}

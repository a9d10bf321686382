// Whether the collector of traces takes what it gets: an export of nothing, as the service sends it.

import type { TracingConfig } from '../../config/config.ts';
import { type Check, warns, passes } from '../../domain/check.ts';

export async function tracingChecks({ otlpEndpoint, headers }: TracingConfig): Promise<readonly Check[]> {
  const at = `${otlpEndpoint.host}${otlpEndpoint.pathname}`;
  try {
    const { ok, status, body } = await fetch(otlpEndpoint, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(headers.map(([name, value]) => [name, value.reveal()])),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ resourceSpans: [] }),
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    await body?.cancel();
    if (ok) return [passes('collector', `${at} takes traces`)];
    return [warns('collector', `${at} answered ${status}`, HINT)];
  } catch {
    return [warns('collector', `${at} does not answer`, HINT)];
  }
}

const HINT = 'Check tracing.otlp_endpoint and tracing.headers. Requests are served without traces.';
const LIMIT_MS = 5_000;

// What each section of `doorward.yaml` may hold, by its key. `tls`, a list, is read by itself.

import {
  BRAND_FIELDS,
  CONTROL_FIELDS,
  type Fields,
  FORWARD_AUTH_FIELDS,
  GATEWAY_FIELDS,
  LIMIT_FIELDS,
  LOG_FIELDS,
  METRICS_FIELDS,
  OAUTH_FIELDS,
  PKI_FIELDS,
  STORE_FIELDS,
  TRACING_FIELDS,
  TUNNEL_FIELDS,
} from './describe.ts';
import { ACME_FIELDS } from './describe-acme.ts';

export const SECTION_FIELDS = {
  acme: ACME_FIELDS,
  gateway: GATEWAY_FIELDS,
  oauth: OAUTH_FIELDS,
  control: CONTROL_FIELDS,
  tunnel: TUNNEL_FIELDS,
  forward_auth: FORWARD_AUTH_FIELDS,
  pki: PKI_FIELDS,
  store: STORE_FIELDS,
  metrics: METRICS_FIELDS,
  tracing: TRACING_FIELDS,
  brand: BRAND_FIELDS,
  limits: LIMIT_FIELDS,
  log: LOG_FIELDS,
} as const satisfies Readonly<Record<string, Fields>>;

export type SectionKey = keyof typeof SECTION_FIELDS;

export function isSectionKey(key: string): key is SectionKey {
  return Object.hasOwn(SECTION_FIELDS, key);
}

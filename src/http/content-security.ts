// The headers that every page of ours carries: nothing runs, nothing is fetched, nothing frames it, nothing
// keeps it. Content Security Policy Level 3; style is allowed by its hash alone.

import { createHash } from 'node:crypto';

/** The headers of a page whose only style element holds exactly `style`. */
export function pageHeaders(
  style: string,
  forms: 'none' | 'self' = 'none',
): readonly (readonly [name: string, value: string])[] {
  return [
    ['content-type', 'text/html; charset=utf-8'],
    ['content-security-policy', contentSecurityPolicy(style, forms)],
    ...GUARD_HEADERS,
  ];
}

/** For answers that no browser should render, keep or sniff, such as problem documents. */
export const GUARD_HEADERS = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
] as const;

/** The policy of a page that runs and shows its own files, calls its own host, and nothing else. */
export function scriptedPolicy(images: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${images.join(' ')}`,
    "form-action 'none'",
    ...CLOSED,
    // Text never becomes markup or script.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

function contentSecurityPolicy(style: string, forms: 'none' | 'self'): string {
  const hash = createHash('sha256').update(style).digest('base64');
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    // The operator's logo and the icon are data: URLs; an image cannot run anything.
    'img-src data:',
    `form-action '${forms}'`,
    ...CLOSED,
  ].join('; ');
}

const CLOSED = ["frame-ancestors 'none'", "base-uri 'none'"];

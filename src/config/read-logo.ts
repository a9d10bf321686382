// The logo of the pages: a small image file as a `data:` URL, so that pages load nothing from anywhere.

import { extname } from 'node:path';
import { quoteValue } from './config-fault.ts';
import { type ReadContext, Refusal, resolvePath } from './section.ts';

export function readLogo(context: ReadContext, text: string): string | Refusal {
  const type = TYPES[extname(text).toLowerCase()];
  if (type === undefined) return new Refusal(`a file that ends in ${Object.keys(TYPES).join(', ')}`);
  try {
    const bytes = context.readFile(resolvePath(context, text));
    if (bytes.byteLength === 0 || bytes.byteLength > MAX_LOGO_BYTES)
      return new Refusal(`an image of at most ${MAX_LOGO_BYTES / 1024} KiB`, `${bytes.byteLength} bytes`);
    return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
  } catch {
    return new Refusal('a readable image', `the file ${quoteValue(text)}, which cannot be read`);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};
/** It travels within every page. */
const MAX_LOGO_BYTES = 64 * 1024;

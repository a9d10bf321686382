// A small image file as a `data:` URL: the logo of the pages, and the icon of a provider.

import { IMAGE_TYPES, imageUrl } from '../domain/image-url.ts';
import { quoteValue } from './config-fault.ts';
import { type ReadContext, Refusal, resolvePath } from './section.ts';

export function readImage(context: ReadContext, text: string, maxBytes: number): string | Refusal {
  if (imageUrl(text, '') === null)
    return new Refusal(`a file that ends in ${Object.keys(IMAGE_TYPES).join(', ')}`);
  try {
    const bytes = context.readFile(resolvePath(context, text));
    if (bytes.byteLength === 0 || bytes.byteLength > maxBytes)
      return new Refusal(`an image of at most ${maxBytes / 1024} KiB`, `${bytes.byteLength} bytes`);
    return imageUrl(text, Buffer.from(bytes).toString('base64')) ?? new Refusal('an image');
  } catch {
    return new Refusal('a readable image', `the file ${quoteValue(text)}, which cannot be read`);
  }
}

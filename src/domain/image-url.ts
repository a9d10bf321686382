// Small images as `data:` URLs: pages load nothing from anywhere.

/** By the end of a file's name. */
export const IMAGE_TYPES: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};

/** Of what a file of that name holds, in base64; null for a name of no image. */
export function imageUrl(fileName: string, base64: string): string | null {
  const type = IMAGE_TYPES[endOf(fileName)];
  return type === undefined ? null : `data:${type};base64,${base64}`;
}

export function isImageName(fileName: string): boolean {
  return IMAGE_TYPES[endOf(fileName)] !== undefined;
}

function endOf(fileName: string): string {
  return /\.[a-z]+$/.exec(fileName.toLowerCase())?.[0] ?? '';
}

/** Whether `imageUrl` could have made it, of at least one byte and at most `maxBytes`. */
export function isImageUrl(text: string, maxBytes: number): boolean {
  const [, content = '', padding = ''] = IMAGE_URL.exec(text) ?? [];
  const characters = content.length + padding.length;
  return characters > 0 && characters % 4 === 0 && (characters / 4) * 3 - padding.length <= maxBytes;
}

/** The characters of the longest such address. */
export function maxImageUrlLength(maxBytes: number): number {
  return 'data:image/svg+xml;base64,'.length + Math.ceil(maxBytes / 3) * 4;
}

const IMAGE_URL = /^data:image\/(?:svg\+xml|png|jpeg|webp);base64,([A-Za-z0-9+/]+)(={0,2})$/;

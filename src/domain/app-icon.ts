// The icon of a share among somebody's apps: a sign that Doorward draws itself, one or two letters, or a
// small image that travels as text. Never an address: whoever's server that is would learn who looks at their
// apps, and when.

import { isImageUrl, maxImageUrlLength } from './image-url.ts';
import { hasUnfitMarks } from './plain-line.ts';
import { isIconName, PROVIDER_ICONS } from './provider-icon.ts';
import { ServiceError } from './service-error.ts';

/** Answers it as it is kept. Throws `validation_failed`. */
export function parseAppIcon(text: string): string {
  if (isIconName(text) || isLetters(text) || isAppImage(text)) return text;
  throw new ServiceError('validation_failed', `Cannot use "${text.slice(0, 40)}" as an icon: it is none`, {
    hint: `Use ${APP_ICON_WANTED}.`,
  });
}

export function isAppImage(text: string): boolean {
  return isImageUrl(text, MAX_IMAGE_BYTES);
}

/** As people count them: an emoji is one, however many characters it is made of. */
function isLetters(text: string): boolean {
  if (text.length > MAX_LETTERS_LENGTH || text.trim() === '' || hasUnfitMarks(text)) return false;
  return [...new Intl.Segmenter().segment(text)].length <= 2;
}

/** Some hundreds of them travel in one answer. */
const MAX_IMAGE_BYTES = 4 * 1024;
/** A family of four is eleven. */
const MAX_LETTERS_LENGTH = 24;
export const MAX_APP_ICON_LENGTH = maxImageUrlLength(MAX_IMAGE_BYTES);
export const APP_ICON_WANTED = `one or two letters, ${PROVIDER_ICONS.join(', ')}, or an SVG, PNG, JPEG or WebP image of at most ${MAX_IMAGE_BYTES / 1024} KiB as a data: URL`;

// What the display name and the icon of a provider must look like, however they were given.

import { isImageUrl, maxImageUrlLength } from './image-url.ts';

/** Something to read, on one line, which turns the direction of no other text. */
export function isDisplayName(text: string): boolean {
  return (
    text.trim() === text &&
    [...text].length <= MAX_DISPLAY_NAME &&
    /[\p{L}\p{N}]/u.test(text) &&
    !UNFIT.test(text)
  );
}

export function isProviderIcon(text: string): boolean {
  return isIconName(text) || isImageUrl(text, MAX_ICON_BYTES);
}

export function isIconName(text: string): text is ProviderIcon {
  return (PROVIDER_ICONS as readonly string[]).includes(text);
}

/** What Doorward draws itself: signs that are nobody's trademark. */
export const PROVIDER_ICONS = ['building', 'code', 'globe', 'key', 'people', 'shield'] as const;
export type ProviderIcon = (typeof PROVIDER_ICONS)[number];

export const MAX_DISPLAY_NAME = 60;
/** Each travels within the page that offers it, beside some others. */
export const MAX_ICON_BYTES = 16 * 1024;
export const MAX_ICON_LENGTH = maxImageUrlLength(MAX_ICON_BYTES);
export const DISPLAY_NAME_WANTED = `a name of at most ${MAX_DISPLAY_NAME} characters, on one line`;
export const ICON_WANTED = `${PROVIDER_ICONS.join(', ')}, or an SVG, PNG, JPEG or WebP image of at most ${MAX_ICON_BYTES / 1024} KiB`;
// Control characters, line ends, and the marks that turn the direction of what follows.
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/u;

// What the display name and the icon of a provider must look like, however they were given.

import { isImageUrl, maxImageUrlLength } from './image-url.ts';
import { isPlainLine } from './plain-line.ts';

export function isDisplayName(text: string): boolean {
  return isPlainLine(text, MAX_DISPLAY_NAME);
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

// Text into HTML. Whatever comes from a visitor, a provider or the configuration passes here, as text or as a
// link.

/**
 * Text that is safe between tags and in quoted attributes. Characters that HTML cannot carry become U+FFFD.
 */
export function escapeHtml(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\u{FFFD}').replaceAll(/[&<>"'`]/g, (found) => ENTITIES[found] ?? '');
}

/** The address as it may stand in `href`, unescaped, or null for schemes that a link of ours never has. */
export function safeHref(href: string): string | null {
  if (UNLINKABLE.test(href)) return null;
  if (href === '') return href;
  if (href.startsWith('/')) return href.startsWith('//') || href.startsWith('/\\') ? null : href;
  const url = URL.parse(href);
  if (url === null) return null;
  return LINK_SCHEMES.has(url.protocol) ? href : null;
}

/** Raster images and SVG as settings give them: in an <img>, script inside an SVG does not run. */
export function isImage(url: string): boolean {
  return IMAGE.test(url);
}

const IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

// Control characters but tab and line ends, and the marks that turn the direction of what follows.
const UNPRINTABLE = /[\p{Cc}--[\t\n\r]]|[\u202A-\u202E\u2066-\u2069]/gv;

// Browsers drop tabs, line ends and leading spaces inside addresses, so `java\nscript:` would be a script.
const UNLINKABLE = /[\p{Cc} ]/u;

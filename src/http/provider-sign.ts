// The signs that a provider can have beside its name, drawn in lines of the text's colour. They are nobody's
// trademark; whoever wants the logo of a product gives its image.

import { isIconName, type ProviderIcon } from '../domain/provider-icon.ts';

/** Null for a name of none. */
export function providerSign(icon: string): string | null {
  if (!isIconName(icon)) return null;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" focusable="false">${SIGNS[icon]}</svg>`;
}

const SIGNS: Readonly<Record<ProviderIcon, string>> = {
  building:
    '<path d="M4 21V4.5h10V21"/><path d="M14 9.5h6V21"/><path d="M2.5 21h19"/><path d="M8 8.5h2M8 12.5h2M8 16.5h2M17 13.5v.5M17 17v.5"/>',
  code: '<path d="m8 7-5 5 5 5"/><path d="m16 7 5 5-5 5"/><path d="m13.5 5-3 14"/>',
  globe:
    '<circle cx="12" cy="12" r="9"/><path d="M3 12h18"/><path d="M12 3c3 3 3 15 0 18"/><path d="M12 3c-3 3-3 15 0 18"/>',
  key: '<circle cx="8" cy="15.5" r="4.5"/><path d="m11.3 12.3 8.2-8.3"/><path d="m16 7.5 3 3"/>',
  people:
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20a6.5 6.5 0 0 1 13 0"/><path d="M15.5 4.8a3.5 3.5 0 0 1 0 6.4"/><path d="M18 14.3a6.5 6.5 0 0 1 3.5 5.7"/>',
  shield:
    '<path d="M12 3 4.5 6v5.5c0 4.5 3 7.8 7.5 9.5 4.5-1.7 7.5-5 7.5-9.5V6z"/><path d="m8.8 12 2.2 2.2 4.2-4.2"/>',
};

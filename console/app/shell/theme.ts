// Light, dark, or what the system says: chosen by the person, kept in their browser.

import { keepText, keptText } from '../parts/kept.ts';

export type Theme = 'system' | 'light' | 'dark';

export const THEMES: readonly { readonly theme: Theme; readonly title: string }[] = [
  { theme: 'system', title: 'System' },
  { theme: 'light', title: 'Light' },
  { theme: 'dark', title: 'Dark' },
];

export function chosenTheme(): Theme {
  const kept = keptText(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function chooseTheme(theme: Theme): void {
  keepText(KEY, theme === 'system' ? null : theme);
  applyTheme();
}

/** The style sheet follows the system unless the page says otherwise. */
export function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

const KEY = 'doorward-theme';

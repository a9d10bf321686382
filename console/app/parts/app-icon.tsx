// The icon of an app or a provider: its image, a sign, or letters. An image is text that is here already:
// nobody is asked for it.

import type { ReactNode } from 'react';
import { isImageUrl } from '../../../src/domain/image-url.ts';
import { isIconName, MAX_ICON_BYTES, type ProviderIcon } from '../../../src/domain/provider-icon.ts';
import './app-icon.css';

type AppIconProps = {
  readonly icon: string | null;
  readonly name: string;
  /** Beside a line of text. */
  readonly isSmall?: boolean;
};

export function AppIcon({ icon, name, isSmall = false }: AppIconProps) {
  return (
    <span className={isSmall ? 'app-icon small' : 'app-icon'} aria-hidden="true">
      {icon !== null && isImageUrl(icon, MAX_ICON_BYTES) ? (
        <img src={icon} alt="" />
      ) : (
        <Drawn icon={icon} name={name} />
      )}
    </span>
  );
}

function Drawn({ icon, name }: { readonly icon: string | null; readonly name: string }) {
  if (icon === null || !isIconName(icon)) return icon ?? name.slice(0, 1).toUpperCase();
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
    >
      {SIGNS[icon]}
    </svg>
  );
}

const SIGNS: Readonly<Record<ProviderIcon, ReactNode>> = {
  building: <path d="M4 21V4.5h10V21M14 9.5h6V21M2.5 21h19M8 8.5h2M8 12.5h2M8 16.5h2M17 13.5v.5M17 17v.5" />,
  code: <path d="m8 7-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14" />,
  globe: <path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18" />,
  key: <path d="M8 11a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM11.3 12.3l8.2-8.3M16 7.5l3 3" />,
  people: (
    <path d="M9 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2.5 20a6.5 6.5 0 0 1 13 0M15.5 4.8a3.5 3.5 0 0 1 0 6.4M18 14.3a6.5 6.5 0 0 1 3.5 5.7" />
  ),
  shield: <path d="M12 3 4.5 6v5.5c0 4.5 3 7.8 7.5 9.5 4.5-1.7 7.5-5 7.5-9.5V6zM8.8 12l2.2 2.2 4.2-4.2" />,
};

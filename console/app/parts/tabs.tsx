// The pages of one area beside each other. Each is a link: it can be bookmarked, and opened in a new tab.

import { useEffect, useRef } from 'react';
import { Link } from '../router.tsx';

export type Tab = { readonly title: string; readonly href: string; readonly current: boolean };

/** `label`: what they are pages of. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const strip = useRef<HTMLElement>(null);
  const here = tabs.find(({ current }) => current)?.href;
  // Where there is no room for all of them, the one that is open is seen all the same.
  useEffect(() => {
    strip.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [here]);
  return (
    <nav className="tabs" aria-label={label} ref={strip}>
      {tabs.map(({ title, href, current }) => (
        <Link key={href} href={href} aria-current={current ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

// The pages of one area beside each other. Each is a link: it can be bookmarked, and opened in a new tab.

import { Link } from '../router.tsx';

export type Tab = { readonly title: string; readonly href: string; readonly current: boolean };

/** `label`: what they are pages of. */
export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ title, href, current }) => (
        <Link key={href} href={href} aria-current={current ? 'page' : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}

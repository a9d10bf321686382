// Small drawings beside words. Decoration: whatever one means is said in text, too.

import type { ReactNode } from 'react';

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {DRAWINGS[name]}
    </svg>
  );
}

const DRAWINGS = {
  // A door standing open: the mark of the product.
  door: (
    <path d="M5 21V5.2a1.5 1.5 0 0 1 1.2-1.47l7-1.4A1.5 1.5 0 0 1 15 3.8V21M15 5h2.5A1.5 1.5 0 0 1 19 6.5V21M2.5 21h19M11.5 12v1" />
  ),
  overview: (
    <>
      <rect x="3.5" y="3.5" width="7" height="9" rx="1.5" />
      <rect x="13.5" y="3.5" width="7" height="5" rx="1.5" />
      <rect x="13.5" y="11.5" width="7" height="9" rx="1.5" />
      <rect x="3.5" y="15.5" width="7" height="5" rx="1.5" />
    </>
  ),
  shares: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <path d="M3.25 12h17.5M12 3.25c2.4 2.4 3.5 5.3 3.5 8.75s-1.1 6.35-3.5 8.75c-2.4-2.4-3.5-5.3-3.5-8.75s1.1-6.35 3.5-8.75z" />
    </>
  ),
  sessions: (
    <>
      <circle cx="9.5" cy="8" r="3.75" />
      <path d="M2.75 20.25a6.75 6.75 0 0 1 13.2-2M16.25 11.5l2 2 3.5-4" />
    </>
  ),
  certificates: (
    <>
      <circle cx="12" cy="9" r="5.75" />
      <path d="m8.4 13.5-1.15 7.25L12 18.25l4.75 2.5-1.15-7.25M9.9 9l1.5 1.5 2.7-3" />
    </>
  ),
  providers: (
    <>
      <rect x="3.25" y="5" width="17.5" height="14" rx="2.25" />
      <circle cx="8.75" cy="10.5" r="1.75" />
      <path d="M5.9 16a2.95 2.95 0 0 1 5.7 0M14.75 10h3M14.75 13.75h3" />
    </>
  ),
  people: (
    <>
      <circle cx="9" cy="8" r="3.75" />
      <path d="M2.25 20.25a6.75 6.75 0 0 1 13.5 0M16 4.4a3.75 3.75 0 0 1 0 7.2M18.25 14.1a6.75 6.75 0 0 1 3.5 6.15" />
    </>
  ),
  webhooks: <path d="M13.25 2.75 4.5 13.75h6.25L9.75 21.25l9.75-11.5h-6.75z" />,
  audit: (
    <>
      <rect x="4.25" y="3.25" width="15.5" height="17.5" rx="2.25" />
      <path d="M8.25 8.25h7.5M8.25 12h7.5M8.25 15.75h4" />
    </>
  ),
  me: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <circle cx="12" cy="10" r="2.75" />
      <path d="M6.9 18.9a5.6 5.6 0 0 1 10.2 0" />
    </>
  ),
  key: (
    <>
      <circle cx="8" cy="15.5" r="4.75" />
      <path d="m11.5 12 8-8M16 7.5l2.75 2.75M13.25 10.25 15 12" />
    </>
  ),
  clock: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <path d="M12 7v5.25l3.25 2" />
    </>
  ),
  lock: (
    <>
      <rect x="4.5" y="10.5" width="15" height="10.25" rx="2.25" />
      <path d="M8 10.5V7a4 4 0 0 1 8 0v3.5" />
    </>
  ),
  tunnel: <path d="M3 20.5V13a9 9 0 0 1 18 0v7.5M7.5 20.5V13a4.5 4.5 0 0 1 9 0v7.5M2 20.5h20" />,
  terminal: (
    <>
      <rect x="3.25" y="4.25" width="17.5" height="15.5" rx="2.25" />
      <path d="m7 9 3 3-3 3M12.5 15.25H17" />
    </>
  ),
  book: (
    <path d="M12 6.75v13M12 6.75C10.2 5.4 7.7 4.6 3.75 4.5v13c3.95.1 6.45.9 8.25 2.25 1.8-1.35 4.3-2.15 8.25-2.25v-13C16.3 4.6 13.8 5.4 12 6.75z" />
  ),
  activity: <path d="M2.75 12h4l3-8.5 4.5 17 3-8.5h4" />,
  settings: (
    <>
      <path d="M4 7.5h9M19 7.5h1M4 16.5h1M11 16.5h9" />
      <circle cx="16" cy="7.5" r="2.5" />
      <circle cx="8" cy="16.5" r="2.5" />
    </>
  ),
  search: (
    <>
      <circle cx="11" cy="11" r="6.75" />
      <path d="m20.25 20.25-4.4-4.4" />
    </>
  ),
  filter: <path d="M4 6.5h16M7 12h10M10 17.5h4" />,
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  more: <path d="M5.5 12h.01M12 12h.01M18.5 12h.01" strokeWidth="2.75" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  check: <path d="m4.75 12.5 4.75 4.75L19.25 7" />,
  plus: <path d="M12 5v14M5 12h14" />,
  back: <path d="M20 12H4.5M11 5.5 4.5 12l6.5 6.5" />,
  next: <path d="m9.5 5.5 6.5 6.5-6.5 6.5" />,
  up: <path d="m5.5 14.5 6.5-6.5 6.5 6.5" />,
  down: <path d="m5.5 9.5 6.5 6.5 6.5-6.5" />,
  choose: <path d="m8 9.5 4-4 4 4M8 14.5l4 4 4-4" />,
  refresh: (
    <path d="M20 11.5a8 8 0 0 0-14.2-4.2L3.75 9.5M3.75 4.5v5h5M4 12.5a8 8 0 0 0 14.2 4.2l2.05-2.2M20.25 19.5v-5h-5" />
  ),
  copy: (
    <>
      <rect x="8.75" y="8.75" width="11.5" height="11.5" rx="2" />
      <path d="M5 15.25a1.25 1.25 0 0 1-1.25-1.25V5.5A1.75 1.75 0 0 1 5.5 3.75H14A1.25 1.25 0 0 1 15.25 5" />
    </>
  ),
  external: (
    <path d="M14.25 3.75h6v6M20.25 3.75 11 13M18 14v4.5a1.75 1.75 0 0 1-1.75 1.75H5.5a1.75 1.75 0 0 1-1.75-1.75V7.75A1.75 1.75 0 0 1 5.5 6H10" />
  ),
  download: <path d="M12 3.75v11.5M7 10.5l5 5 5-5M4 20.25h16" />,
  leave: (
    <path d="M10 4.25H5.75A1.5 1.5 0 0 0 4.25 5.75v12.5a1.5 1.5 0 0 0 1.5 1.5H10M15.5 8l4.25 4-4.25 4M19.25 12H9.5" />
  ),
  warning: <path d="M12 3.75 2.5 20.25h19zM12 10v4.5M12 17.4v.1" />,
  info: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <path d="M12 11v5.25M12 7.75v.1" />
    </>
  ),
  problem: (
    <>
      <circle cx="12" cy="12" r="8.75" />
      <path d="M12 7.25v5.5M12 16.2v.1" />
    </>
  ),
} satisfies Readonly<Record<string, ReactNode>>;

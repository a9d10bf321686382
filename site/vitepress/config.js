// The settings of the site. Everything that a page loads is a file of the site: fonts, search index, styles.

import { readFileSync } from 'node:fs';

const sidebar = JSON.parse(readFileSync(new URL('./sidebar.json', import.meta.url), 'utf8'));

export default {
  title: 'Doorward',
  description:
    'A self-hosted access gateway: a login before anything you run, and identity headers to trust.',
  lang: 'en-US',
  cleanUrls: false,
  lastUpdated: false,
  markdown: { linkify: false, languageAlias: { caddyfile: 'nginx', haproxy: 'txt', promql: 'txt' } },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Install', link: '/docs/how-to/install' },
      { text: 'Who gets in', link: '/docs/how-to/who-gets-in' },
      { text: 'Reference', link: '/docs/reference/configuration' },
    ],
    docFooter: { prev: 'Before', next: 'Next' },
  },
};

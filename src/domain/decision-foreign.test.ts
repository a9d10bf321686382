// Requests from other sites and `--allow-origin` (DESIGN 3), as a table.

import { describe } from 'node:test';
import type { Share } from './share.ts';
import { ALLOWED, FOREIGN, login, OWN, runRows, SIBLING } from '../../test/support/decision-rows.ts';
import { CERTIFICATE } from '../../test/support/rule-facts.ts';

describe('decide(), requests from other sites (DESIGN 3)', () => {
  const navigation = { fetchMode: 'navigate', fetchDest: 'document' };
  runRows([
    {
      name: 'same-origin fetch: forwarded',
      facts: { fetchSite: 'same-origin', fetchMode: 'cors', fetchDest: 'empty' },
      expected: 'forward',
    },
    {
      name: 'same-origin POST: forwarded',
      facts: { method: 'POST', fetchSite: 'same-origin', fetchMode: 'cors', fetchDest: 'empty', origin: OWN },
      expected: 'forward',
    },
    {
      name: 'same-origin form without a referrer (Origin null): forwarded',
      facts: { method: 'POST', fetchSite: 'same-origin', ...navigation, origin: 'null' },
      expected: 'forward',
    },
    { name: 'typed address: forwarded', facts: { fetchSite: 'none', ...navigation }, expected: 'forward' },
    {
      name: 'link on another site: forwarded',
      facts: { fetchSite: 'cross-site', ...navigation },
      expected: 'forward',
    },
    {
      name: 'link on a sibling share: forwarded',
      facts: { fetchSite: 'same-site', ...navigation },
      expected: 'forward',
    },
    {
      name: 'HEAD navigation from another site: forwarded',
      facts: { method: 'HEAD', fetchSite: 'cross-site', ...navigation },
      expected: 'forward',
    },
    {
      name: 'fetch by a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'cors', fetchDest: 'empty', origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'no-cors fetch by a sibling share, without Origin',
      facts: { fetchSite: 'same-site', fetchMode: 'no-cors', fetchDest: 'empty' },
      expected: FOREIGN,
    },
    {
      name: 'image on a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'no-cors', fetchDest: 'image' },
      expected: FOREIGN,
    },
    {
      name: 'script on another site',
      facts: { fetchSite: 'cross-site', fetchMode: 'no-cors', fetchDest: 'script' },
      expected: FOREIGN,
    },
    {
      name: 'frame on a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'navigate', fetchDest: 'iframe' },
      expected: FOREIGN,
    },
    {
      name: 'embedded object on a sibling share',
      facts: { fetchSite: 'same-site', fetchMode: 'navigate', fetchDest: 'embed' },
      expected: FOREIGN,
    },
    {
      name: 'form posted by a sibling share',
      facts: { method: 'POST', fetchSite: 'same-site', ...navigation, origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'form posted by another site with Origin null',
      facts: { method: 'POST', fetchSite: 'cross-site', ...navigation, origin: 'null' },
      expected: FOREIGN,
    },
    {
      name: 'a document that is not navigated to',
      facts: { fetchSite: 'cross-site', fetchMode: 'no-cors', fetchDest: 'document' },
      expected: FOREIGN,
    },
    {
      name: 'a page prefetched by a sibling share',
      facts: { fetchSite: 'same-site', ...navigation, purpose: 'prefetch', referer: `${SIBLING}/` },
      expected: FOREIGN,
    },
    {
      name: 'a page prefetched by whoever, as Chromium says it',
      facts: { fetchSite: 'none', ...navigation, purpose: 'prefetch' },
      expected: FOREIGN,
    },
    {
      name: 'a page prefetched by a host that begins like the share',
      facts: { fetchSite: 'none', ...navigation, purpose: 'prefetch', referer: `${OWN}.evil.example/` },
      expected: FOREIGN,
    },
    {
      name: 'a page prefetched by the share itself: forwarded',
      facts: { fetchSite: 'none', ...navigation, purpose: 'prefetch;prerender', referer: `${OWN}/page` },
      expected: 'forward',
    },
    {
      name: 'an unknown Sec-Fetch-Site',
      facts: { fetchSite: 'same-origin, none', fetchMode: 'cors', fetchDest: 'empty' },
      expected: FOREIGN,
    },
    {
      name: 'refused before anything is said about the session',
      session: null,
      facts: { fetchSite: 'same-site', fetchMode: 'cors', origin: SIBLING },
      expected: FOREIGN,
    },
    { name: 'no Fetch Metadata, GET without Origin: forwarded', expected: 'forward' },
    {
      name: 'no Fetch Metadata, GET with a foreign Origin: forwarded',
      facts: { origin: SIBLING },
      expected: 'forward',
    },
    {
      name: 'no Fetch Metadata, POST without Origin: forwarded',
      facts: { method: 'POST' },
      expected: 'forward',
    },
    {
      name: 'no Fetch Metadata, POST with the own Origin: forwarded',
      facts: { method: 'POST', origin: OWN },
      expected: 'forward',
    },
    {
      name: 'no Fetch Metadata, POST with a foreign Origin',
      facts: { method: 'POST', origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'no Fetch Metadata, POST with Origin null',
      facts: { method: 'POST', origin: 'null' },
      expected: FOREIGN,
    },
    {
      name: 'no Fetch Metadata, DELETE with the own host on another port',
      facts: { method: 'DELETE', origin: `${OWN}:8443` },
      expected: FOREIGN,
    },
    {
      name: 'no Fetch Metadata, PUT with the own host over http',
      facts: { method: 'PUT', origin: OWN.replace('https', 'http') },
      expected: FOREIGN,
    },
    {
      name: 'a made-up method with a foreign Origin',
      facts: { method: 'get', origin: SIBLING },
      expected: FOREIGN,
    },
    {
      name: 'upgrade with the own Origin: forwarded',
      facts: { upgrade: true, origin: OWN },
      expected: 'forward',
    },
    {
      name: 'upgrade with the own Origin and Fetch Metadata: forwarded',
      facts: {
        upgrade: true,
        origin: OWN,
        fetchSite: 'same-origin',
        fetchMode: 'websocket',
        fetchDest: 'empty',
      },
      expected: 'forward',
    },
    { name: 'upgrade without Origin', facts: { upgrade: true }, expected: FOREIGN },
    { name: 'upgrade with a foreign Origin', facts: { upgrade: true, origin: SIBLING }, expected: FOREIGN },
    {
      name: 'upgrade with a foreign Origin and friendly Fetch Metadata',
      facts: { upgrade: true, origin: SIBLING, fetchSite: 'same-origin' },
      expected: FOREIGN,
    },
    {
      name: 'upgrade without Origin that calls itself a navigation',
      facts: { upgrade: true, fetchSite: 'none', ...navigation },
      expected: FOREIGN,
    },
    {
      name: 'upgrade with the own Origin that calls itself a link on another site',
      facts: { upgrade: true, origin: OWN, fetchSite: 'cross-site', ...navigation },
      expected: FOREIGN,
    },
    {
      name: 'an open share hears everybody',
      share: { login: null },
      facts: { method: 'POST', fetchSite: 'cross-site', origin: SIBLING },
      expected: 'forward',
    },
  ]);
});

describe('decide(), --allow-origin (DESIGN 2.4, 3)', () => {
  const share = { allowOrigins: [ALLOWED] };
  const cors = { fetchSite: 'cross-site', fetchMode: 'cors', fetchDest: 'empty' };
  runRows([
    {
      name: 'fetch by an allowed origin: forwarded',
      share,
      facts: { ...cors, origin: ALLOWED },
      expected: 'forward',
    },
    {
      name: 'POST by an allowed origin: forwarded',
      share,
      facts: { ...cors, method: 'POST', origin: ALLOWED },
      expected: 'forward',
    },
    {
      name: 'upgrade by an allowed origin: forwarded',
      share,
      facts: { upgrade: true, origin: ALLOWED },
      expected: 'forward',
    },
    {
      name: 'POST by an allowed origin without Fetch Metadata: forwarded',
      share,
      facts: { method: 'POST', origin: ALLOWED },
      expected: 'forward',
    },
    { name: 'another origin stays refused', share, facts: { ...cors, origin: SIBLING }, expected: FOREIGN },
    {
      name: 'an origin below the allowed one stays refused',
      share,
      facts: { ...cors, origin: 'https://x.app.example.com' },
      expected: FOREIGN,
    },
    {
      name: 'an origin that begins like the allowed one stays refused',
      share,
      facts: { ...cors, origin: `${ALLOWED}.evil.org` },
      expected: FOREIGN,
    },
    { name: 'Origin null stays refused', share, facts: { ...cors, origin: 'null' }, expected: FOREIGN },
    { name: 'no Origin stays refused', share, facts: cors, expected: FOREIGN },
    {
      name: 'the session is needed all the same',
      share,
      session: null,
      facts: { ...cors, origin: ALLOWED },
      expected: login('no_session'),
    },
  ]);
});

describe('decide(), a service token that another site sends (DESIGN "Service tokens")', () => {
  const foreign = { method: 'POST', fetchSite: 'same-site', fetchMode: 'cors', fetchDest: 'empty' } as const;
  const facts = { ...foreign, origin: SIBLING, certificate: CERTIFICATE, token: 'deploy-1' };
  const rules: Share['rules'] = [
    { allow: { certificate: { subject: null, unit: null } } },
    { allow: { tokens: ['other-*'] } },
  ];
  const share = { login: null, rules };
  runRows([
    {
      name: 'it vouches for no certificate, which the browser sends by itself',
      share,
      session: null,
      facts,
      expected: 'refuse',
    },
    {
      name: 'it lets in by itself',
      share: { ...share, rules: [rules[0]!, { allow: { tokens: ['deploy-*'] } }] },
      session: null,
      facts,
      expected: { kind: 'forward', certificate: null, token: 'deploy-1' },
    },
    {
      name: 'beside it a certificate counts where no other site asks',
      share,
      session: null,
      facts: { ...facts, fetchSite: null, origin: null },
      expected: { kind: 'forward', certificate: CERTIFICATE, token: null },
    },
  ]);
});

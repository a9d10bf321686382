// How pages look: system fonts, one card, dark and light by preference, a colour and an icon for each tone.
// A constant, because the policy in `content-security.ts` names it by hash.

/** Of a page: whether it tells, refuses, or says that something is broken. */
export type Tone = 'info' | 'refused' | 'fault';

// Whatever the visitor's system has: nothing is fetched for a page but the page.
const SANS =
  '"Segoe UI Variable Text","Segoe UI",-apple-system,BlinkMacSystemFont,Roboto,Ubuntu,Cantarell,"Noto Sans","Helvetica Neue","Liberation Sans",Arial,sans-serif';
const MONO =
  'ui-monospace,"SF Mono",SFMono-Regular,"Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace';

/**
 * The colours and fonts of the console. Dark and light by what the visitor's system prefers; a tone each for
 * what went well, was refused, went wrong.
 */
export const PAGE_COLOURS = `
:root{color-scheme:light dark;--ground:#faf9f7;--card:#fff;--sunk:#f5f4f0;--line:#e7e4de;--rim:#d6d2ca;--edge:#8f8b81;--ink:#1c1b19;--soft:#55524b;
--button:#0b6b64;--on-button:#fff;--button-hover:#08544e;--bad:#a11a3a;--shade:0 1px 3px #1c1b1914,0 16px 48px -12px #1c1b1929;
--sans:${SANS};--mono:${MONO}}
body[data-tone=info]{--tone:#0b6b64;--wash:#dff1ee}
body[data-tone=refused]{--tone:#80460a;--wash:#fbeed9}
body[data-tone=fault]{--tone:#a11a3a;--wash:#fbe7ea}
@media (prefers-color-scheme:dark){
:root{--ground:#131416;--card:#1a1b1e;--sunk:#16171a;--line:#2a2c30;--rim:#3b3e44;--edge:#767a82;--ink:#f2f1ee;--soft:#b4b2ab;
--button:#6fd3c7;--on-button:#06211e;--button-hover:#93e2d8;--bad:#ff9aa9;--shade:0 1px 3px #0006,0 16px 48px -12px #000a}
body[data-tone=info]{--tone:#6fd3c7;--wash:#12322f}
body[data-tone=refused]{--tone:#f2b866;--wash:#38290f}
body[data-tone=fault]{--tone:#ff9aa9;--wash:#3c1a21}}
`;

export const PAGE_STYLE = `${PAGE_COLOURS}*{box-sizing:border-box;margin:0}
body{min-height:100vh;min-height:100svh;display:grid;grid-template-rows:1fr auto 1.35fr;justify-items:center;
gap:1.25rem;padding:1.5rem 1.25rem;background:var(--ground);color:var(--ink);
font:1rem/1.6 var(--sans);
-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%;text-size-adjust:100%}
header,main,footer{width:100%;max-width:31rem}
header{align-self:end;display:flex;align-items:center;gap:.625rem;padding:0 .25rem;
font-size:1.0625rem;font-weight:650;letter-spacing:-.02em;overflow-wrap:anywhere}
header svg{flex:none;width:1.875rem;height:1.875rem;padding:.3125rem;border-radius:.5rem;background:var(--button);color:var(--on-button)}
header img{display:block;flex:none;height:2rem;max-width:10rem;object-fit:contain}
main{background:var(--card);border:1px solid var(--line);border-radius:1rem;
padding:clamp(1.5rem,6vw,2.5rem);box-shadow:var(--shade)}
.icon{display:grid;place-items:center;width:3.25rem;height:3.25rem;border-radius:.875rem;margin-bottom:1.5rem;
background:var(--wash);color:var(--tone)}
h1{font-size:clamp(1.375rem,5vw,1.625rem);line-height:1.25;font-weight:650;letter-spacing:-.022em;
text-wrap:balance;overflow-wrap:anywhere}
p{margin-top:.75rem;color:var(--soft);text-wrap:pretty;overflow-wrap:anywhere}
dl{margin-top:1.5rem;border-top:1px solid var(--line)}
dl div{display:flex;flex-wrap:wrap;gap:0 1.25rem;padding:.625rem 0;border-bottom:1px solid var(--line)}
dl:last-child div:last-child{border-bottom:0;padding-bottom:0}
dt{flex:0 0 9rem;overflow-wrap:anywhere;color:var(--soft);font-size:.9375rem}
dd{flex:1 1 12rem;min-width:0;font-weight:500;font-size:.9375rem;overflow-wrap:anywhere}
dd a{color:inherit;text-underline-offset:.2em;border-radius:.125rem}
nav{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.75rem}
nav ul{display:contents;list-style:none;padding:0}
nav li{display:flex;flex:0 1 auto}
nav a{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;padding:.5rem 1.125rem;
border:1px solid var(--rim);border-radius:.5rem;color:var(--ink);font-weight:550;line-height:1.3;
text-decoration:none;text-align:center;overflow-wrap:anywhere;transition:background-color .12s,border-color .12s}
nav a:hover{background:var(--sunk);border-color:var(--edge)}
nav a.primary{background:var(--button);border-color:var(--button);color:var(--on-button)}
nav a.primary:hover{background:var(--button-hover);border-color:var(--button-hover)}
nav.choices ul{display:flex;flex-direction:column;gap:.625rem;flex:1 1 100%;min-width:0}
nav.choices a{flex:1 1 auto;min-width:0;justify-content:flex-start;gap:.75rem;min-height:3.25rem;padding:.5rem .875rem;text-align:start}
nav.choices span:last-child{flex:1 1 auto;min-width:0}
nav.choices small{display:block;color:var(--soft);font-size:.8125rem;font-weight:450}
.mark{flex:none;display:grid;place-items:center;width:2rem;height:2rem;border-radius:50%;overflow:hidden;
background:var(--wash);color:var(--tone);font-weight:650}
.mark img{display:block;width:2rem;height:2rem;object-fit:contain}
.mark:has(img){border-radius:.375rem;background:none}
form{margin-top:1.5rem}
label{display:block;color:var(--soft);font-size:.9375rem}
textarea{display:block;width:100%;margin-top:.375rem;padding:.5rem .75rem;border:1px solid var(--edge);border-radius:.5rem;
background:var(--ground);color:var(--ink);font:inherit}
button{min-height:2.75rem;margin-top:1rem;padding:.5rem 1.125rem;border:0;border-radius:.5rem;
background:var(--button);color:var(--on-button);font:inherit;font-weight:550;cursor:pointer}
button:hover{background:var(--button-hover)}
button:focus-visible,textarea:focus-visible,a:focus-visible{outline:2px solid var(--tone);outline-offset:2px}
footer{align-self:start;padding:0 .25rem;color:var(--soft);font-size:.8125rem}
footer p{margin:0 0 .25rem;color:inherit}
footer a{color:inherit;text-underline-offset:.2em;border-radius:.125rem}
code{font:.95em/1.5 var(--mono);
color:var(--ink);user-select:all;-webkit-user-select:all;overflow-wrap:anywhere}
@media (max-width:30rem){body{grid-template-rows:auto auto 1fr;padding-top:1.25rem}
nav li{flex:1 1 100%}nav a{flex:1}dt{flex-basis:100%}}
@media (prefers-reduced-motion:reduce){*{transition:none!important}}
@media (forced-colors:active){main,nav a,.icon,.mark,header svg{border:1px solid}}
@media print{body{min-height:0;background:none}main{box-shadow:none}nav{display:none}}
`;

/** The card's icon, drawn in the tone's colour. Decoration: the title says the same. */
export function toneIcon(tone: Tone): string {
  return svg(26, ICONS[tone]);
}

/** The mark beside the name when the operator gave no logo. */
export function brandMark(): string {
  return svg(22, DOOR);
}

/** The same mark as the tab's icon; a data: URL, so that no page makes the browser ask for `/favicon.ico`. */
export function faviconUrl(): string {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0e8f85" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${DOOR}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}

function svg(size: number, drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">${drawing}</svg>`;
}

// A door standing open: leaf, frame, handle, floor.
const DOOR =
  '<path d="M5 21V5.2a1.5 1.5 0 0 1 1.2-1.47l7-1.4A1.5 1.5 0 0 1 15 3.8V21"/><path d="M15 5h2.5A1.5 1.5 0 0 1 19 6.5V21"/><path d="M2.5 21h19"/><path d="M11.5 12v1"/>';

const ICONS: Readonly<Record<Tone, string>> = {
  info: DOOR,
  // A closed lock.
  refused:
    '<rect x="4.5" y="10.5" width="15" height="10.5" rx="2.25"/><path d="M8 10.5V7a4 4 0 0 1 8 0v3.5"/><path d="M12 14.75v2"/>',
  // A plug pulled out of its socket.
  fault:
    '<path d="m3 21 3.2-3.2"/><path d="M12.6 16.2 10.7 18a3.2 3.2 0 0 1-4.5 0l-.2-.2a3.2 3.2 0 0 1 0-4.5l1.8-1.9z"/><path d="m9.3 12.9 1.9-1.9"/><path d="m11.1 14.7 1.9-1.9"/><path d="m21 3-3.2 3.2"/><path d="m11.4 7.8 1.9-1.8a3.2 3.2 0 0 1 4.5 0l.2.2a3.2 3.2 0 0 1 0 4.5l-1.8 1.9z"/>',
};

// How the reference page looks: the colours of all our pages, one column on a phone, the contents beside it
// on a desk.

import { PAGE_COLOURS } from '../../http/page-style.ts';

export const REFERENCE_STYLE = `${PAGE_COLOURS}
*{box-sizing:border-box;margin:0}
html{scroll-padding-top:1rem}
body{display:grid;grid-template-columns:minmax(0,1fr);gap:2rem;max-width:76rem;margin:0 auto;padding:2rem 1.25rem 6rem;
background:var(--ground);color:var(--ink);
font:1rem/1.6 var(--sans);
-webkit-font-smoothing:antialiased;-webkit-text-size-adjust:100%;text-size-adjust:100%}
header,main,nav{min-width:0}
header{display:flex;align-items:center;gap:.625rem;font-size:1.0625rem;font-weight:650;letter-spacing:-.02em;overflow-wrap:anywhere}
header svg{flex:none;width:1.875rem;height:1.875rem;padding:.3125rem;border-radius:.5rem;background:var(--button);color:var(--on-button)}
h1{font-size:clamp(1.5rem,5vw,2rem);line-height:1.25;font-weight:650;letter-spacing:-.018em;text-wrap:balance}
h2{margin:3rem 0 1rem;font-size:1.25rem;line-height:1.3}
h3{font-size:1.0625rem;line-height:1.35}
h4{margin-top:1.25rem;font-size:.8125rem;font-weight:600;color:var(--soft)}
p{margin-top:.5rem;color:var(--soft);text-wrap:pretty;overflow-wrap:anywhere}
a{color:inherit;text-underline-offset:.2em;border-radius:.125rem}
a:focus-visible{outline:2px solid var(--tone);outline-offset:2px}
article{margin-top:1rem;padding:clamp(1.125rem,4vw,1.75rem);background:var(--card);border:1px solid var(--line);border-radius:.75rem}
article:target{border-color:var(--tone)}
.call{color:var(--ink)}
.call b{color:var(--tone);letter-spacing:.02em}
table{width:100%;margin-top:.5rem;border-collapse:collapse;font-size:.9375rem;line-height:1.5}
tr{border-top:1px solid var(--line)}
th,td{padding:.5rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{width:13rem;padding-right:1.25rem;font-weight:550}
table.answers th{width:5rem}
th b{font-size:.75rem;font-weight:500;color:var(--tone)}
td{color:var(--soft)}
.type{color:var(--ink)}
small{font-size:.8125rem}
code{font:.92em/1.5 var(--mono);overflow-wrap:anywhere}
.call code,th code,.type code,p code{color:var(--ink)}
pre{margin-top:.5rem;padding:.875rem 1rem;overflow-x:auto;border:1px solid var(--line);border-radius:.5rem;
background:var(--sunk);color:var(--ink);font-size:.875rem;user-select:all;-webkit-user-select:all}
pre code{overflow-wrap:normal;white-space:pre}
nav ul{list-style:none;padding:0}
nav>ul>li{margin-top:.75rem;font-weight:600}
nav ul ul li{font-weight:400}
nav a{display:inline-block;padding:.125rem 0;text-decoration:none}
nav a:hover{text-decoration:underline}
@media (min-width:60rem){body{grid-template-columns:16rem minmax(0,1fr)}header{grid-column:1/-1}
nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto;font-size:.9375rem}}
@media (max-width:60rem){nav>ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem}nav>ul>li{margin:0;font-weight:500}nav ul ul{display:none}
nav>ul a{padding:.375rem 0}}
@media (max-width:36rem){th,td{display:block;width:auto}th{padding-bottom:0}td{padding-top:0}}
@media (forced-colors:active){article,pre,header svg{border:1px solid}}
@media print{body{display:block;background:none}nav{display:none}article{break-inside:avoid}}
`;

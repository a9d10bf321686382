// How the test provider looks: close to the service's pages, under a striped banner that nobody overlooks.

export const STYLE = `
:root{color-scheme:light dark;--ground:#faf9f7;--card:#fff;--line:#e7e4de;--edge:#8f8b81;--ink:#1c1b19;--soft:#55524b;
--button:#1c1b19;--on-button:#fff;--tone:#6b3fa0;--wash:#efe7f9;--warn:#ffd84d;--stripe:#f5c518;--on-warn:#241c00;--bad:#a11a3a}
@media (prefers-color-scheme:dark){:root{--ground:#131416;--card:#1a1b1e;--line:#2a2c30;--edge:#767a82;--ink:#f2f1ee;
--soft:#b4b2ab;--button:#f2f1ee;--on-button:#17181a;--tone:#c9a6f5;--wash:#2d2140;--bad:#ff9aa9}}
*{box-sizing:border-box;margin:0}
body{min-height:100vh;display:flex;flex-direction:column;align-items:center;background:var(--ground);color:var(--ink);
font:1rem/1.6 "Inter Variable",Inter,"Segoe UI Variable Text","Segoe UI",-apple-system,BlinkMacSystemFont,Roboto,Ubuntu,Cantarell,"Noto Sans","Helvetica Neue","Liberation Sans",Arial,sans-serif;
-webkit-text-size-adjust:100%;text-size-adjust:100%}
header{width:100%;padding:.75rem 1.25rem;text-align:center;color:var(--on-warn);font-size:.9375rem;line-height:1.4;
background:repeating-linear-gradient(-45deg,var(--warn) 0 1.25rem,var(--stripe) 1.25rem 2.5rem)}
main{width:calc(100% - 2.5rem);max-width:31rem;margin:clamp(1.25rem,6vh,4rem) 0 2rem;padding:clamp(1.5rem,6vw,2.5rem);
background:var(--card);border:1px solid var(--line);border-radius:1rem}
.kind{margin:0 0 .5rem;color:var(--tone);font-size:.8125rem;font-weight:600;letter-spacing:.04em;text-transform:uppercase}
h1{font-size:clamp(1.375rem,5vw,1.625rem);line-height:1.25;font-weight:650;letter-spacing:-.018em;text-wrap:balance}
p{margin-top:.75rem;color:var(--soft);overflow-wrap:anywhere}
.problem{color:var(--bad);font-weight:550}
ul{list-style:none;padding:0}
.people{display:grid;gap:.625rem;margin-top:1.5rem}
button,input{font:inherit;color:inherit;border-radius:.5rem;min-height:2.75rem}
button{padding:.5rem 1.125rem;border:1px solid var(--button);background:var(--button);color:var(--on-button);
font-weight:550;cursor:pointer}
.people button{display:flex;align-items:center;gap:.875rem;width:100%;padding:.625rem .875rem;text-align:left;
background:none;border-color:var(--edge);color:var(--soft);font-weight:400;font-size:.9375rem;line-height:1.4}
.people button:hover{border-color:var(--ink)}
.people b{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;
background:var(--wash);color:var(--tone);font-size:.875rem;font-weight:650}
.people span{min-width:0;overflow-wrap:anywhere}
.people strong{color:var(--ink);font-weight:600}
.people em{font-style:normal;font-size:.8125rem}
.other{margin-top:1.5rem}
.other label{display:block;margin-bottom:.375rem;font-size:.9375rem;font-weight:550}
.other div{display:flex;flex-wrap:wrap;gap:.625rem}
input{flex:1 1 12rem;min-width:0;padding:.5rem .875rem;border:1px solid var(--edge);background:var(--card)}
input::placeholder{color:var(--soft);opacity:1}
.row{display:flex;flex-wrap:wrap;gap:.75rem}
button.quiet{background:none;border-color:transparent;color:var(--soft);text-decoration:underline;
text-underline-offset:.2em;font-weight:400;font-size:.9375rem;padding:.5rem 0}
form>.quiet{margin-top:.75rem}
.row .quiet{border-color:var(--edge);text-decoration:none;color:var(--ink);padding:.5rem 1.125rem}
dl{margin-top:1.25rem}
dt{color:var(--soft);font-size:.875rem}
dd{margin-bottom:.75rem;overflow-wrap:anywhere}
code{font:.9375em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
.list li{padding:.5rem 0;border-top:1px solid var(--line)}
.list span{color:var(--soft);overflow-wrap:anywhere}
button:focus-visible,input:focus-visible{outline:3px solid var(--tone);outline-offset:2px}
@media (forced-colors:active){main,header{border:1px solid}}
`;

// What a browser says of itself, in words. It decides nothing: whoever wants to can send whatever they like.

/** "Firefox on Linux"; what is not known stays as it is. */
export function browserWords(userAgent: string | null): string {
  if (userAgent === null || userAgent.trim() === '') return 'unknown';
  const browser = BROWSERS.find(([, mark]) => mark.test(userAgent))?.[0];
  const system = SYSTEMS.find(([, mark]) => mark.test(userAgent))?.[0];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  // Programs name themselves first: curl/8.14.1.
  const [, program, version] = /^([\w.-]{2,30})\/(\d[\w.]{0,15})(?:$|\s)/.exec(userAgent) ?? [];
  return program === undefined || program === 'Mozilla' ? userAgent : `${program} ${version}`;
}

/** In this order: each also says what came before it. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
] as const;

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const;

// What texts look like, for the API's description alone (JSON Schema's `pattern`, ECMA-262): names, globs and
// durations. Whether one means something is judged where it is read, which says in words what is wrong with
// it; nothing good breaks its pattern.

const PARTS = String.raw`(?=.)(?:\d+d)?(?:\d+h)?(?:\d+m)?(?:\d+s)?`;

/** `domain/duration.ts`. */
export const DURATION = `^${PARTS}$`;
export const DURATION_OR_NONE = `^(?:none|${PARTS})$`;
/** Of shares and API keys. */
export const NAME = '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$';
export const PROVIDER_NAME = '^[a-z0-9-]{1,40}$';
/** `domain/text-glob.ts`: a backslash takes the next character as it is. */
export const GLOB = String.raw`^(?:[^\\]|\\[\s\S])+$`;
/** `domain/email-pattern-syntax.ts`: neither spaces nor what no address has stands in one. */
export const EMAIL_GLOB = String.raw`^\S+$`;

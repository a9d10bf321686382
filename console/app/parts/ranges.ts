// How far back figures look, in hours, and how that is said.

export const RANGES = {
  '1': { short: '1 h', long: 'hour', within: 'an hour' },
  '24': { short: '24 h', long: '24 hours', within: '24 hours' },
  '168': { short: '7 d', long: '7 days', within: '7 days' },
} as const;

export type Range = keyof typeof RANGES;

export function isRange(text: string): text is Range {
  return Object.hasOwn(RANGES, text);
}

// What a picture over time shows: some values a step, as bars that stand on each other or as lines. Where
// there is little room, neighboring steps become one.

export type PartName = 'served' | 'refused' | 'faulted' | 'half' | 'most';

export type PicturePart = {
  readonly name: PartName;
  readonly label: string;
  /** One for each step; null where nothing was measured. */
  readonly values: readonly (number | null)[];
};

export type Picture = {
  /** Bars stand on each other, the first part on top; what is beside them are lines. */
  readonly kind: 'bars' | 'lines';
  /** The beginning of each step, in milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly stepMs: number;
  /** How far it reaches back. */
  readonly hours: number;
  readonly parts: readonly PicturePart[];
  /** A value in words, also beside the axis. */
  readonly text: (value: number) => string;
};

/**
 * With at most so many steps. Of several, counts are added up; of durations the longest is told, which is no
 * less than that of all of them together.
 */
export function gathered(picture: Picture, most: number): Picture {
  const per = GATHERED.find((each) => picture.times.length <= each * Math.max(most, 1)) ?? LARGEST;
  if (per === 1) return picture;
  const together = picture.kind === 'bars' ? sumOf : longestOf;
  return {
    ...picture,
    stepMs: picture.stepMs * per,
    times: picture.times.filter((_, index) => index % per === 0),
    parts: picture.parts.map((part) => ({
      ...part,
      values: groupsOf(part.values, per).map((values) => together(values)),
    })),
  };
}

/**
 * Times in seconds, then the values of each part. Bars cover the lower part of those before: each is as high
 * as itself and all that stand below it.
 */
export function drawn({ kind, times, stepMs, parts }: Picture): readonly (readonly (number | null)[])[] {
  if (kind === 'lines')
    return [times.map((at) => (at + stepMs / 2) / 1_000), ...parts.map(({ values }) => values)];
  const heights = parts.map((_, first) =>
    times.map((_time, index) =>
      parts.slice(first).reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
    ),
  );
  return [times.map((at) => at / 1_000), ...heights];
}

/** Round numbers from 0 up to the highest value or beyond it, at most `most` of them. */
export function axisTicks(highest: number, most: number, isWhole: boolean): readonly number[] {
  const rough = highest / Math.max(most - 1, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = ROUND.map((each) => each * power).find((each) => each >= rough * ALMOST) ?? 10 * power;
  const step = isWhole ? Math.max(1, nice) : nice;
  const count = Math.ceil((highest / step) * ALMOST);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

function groupsOf<Each>(values: readonly Each[], per: number): readonly (readonly Each[])[] {
  return Array.from({ length: Math.ceil(values.length / per) }, (_, index) =>
    values.slice(index * per, (index + 1) * per),
  );
}

function sumOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

export function longestOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

/** Parts of an hour and of a day. */
const GATHERED = [1, 2, 3, 4, 6, 12, 24];
const LARGEST = 24;
const ROUND = [1, 2, 5];
/** What counting in halves of numbers leaves over. */
const ALMOST = 1 - 1e-9;

// How far back to look, one of few.

import { isRange, type Range, RANGES } from './ranges.ts';
import './range-choice.css';

type RangeChoiceProps = {
  readonly range: Range;
  readonly choose: (range: Range) => void;
  /** "Requests of the last", for who does not see what it changes. */
  readonly legend: string;
};

export function RangeChoice({ range, choose, legend }: RangeChoiceProps) {
  return (
    <fieldset className="ranges">
      <legend className="unseen">{legend}</legend>
      {Object.entries(RANGES).map(([hours, { short, long }]) => (
        <label key={hours} title={`The last ${long}`}>
          <input
            type="radio"
            name="hours"
            value={hours}
            checked={hours === range}
            onChange={() => isRange(hours) && choose(hours)}
          />
          <span>{short}</span>
        </label>
      ))}
    </fieldset>
  );
}

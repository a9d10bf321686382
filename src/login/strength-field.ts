// How strong a login must be, as a part of what is sealed: it cannot be taken away on the way.

import type { LoginStrength } from '../domain/login-strength.ts';
import { type Field, numberField, type RecordReader, textField } from './record.ts';

export function strengthField({ acrValues, maxAgeMs }: LoginStrength): Field {
  const seconds = maxAgeMs === null ? 0 : Math.floor(maxAgeMs / 1000) + 1;
  return Buffer.concat([textField(acrValues.join(' '), 2), numberField(seconds, SECONDS_BYTES)]);
}

export function readStrength(reader: RecordReader): LoginStrength {
  const acrValues = reader.text(2).split(' ').filter(Boolean);
  const seconds = reader.number(SECONDS_BYTES);
  return { acrValues, maxAgeMs: seconds === 0 ? null : (seconds - 1) * 1000 };
}

/** 34 years, more than a duration may be; nothing, for however long. */
const SECONDS_BYTES = 4;

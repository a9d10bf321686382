// What an attempt is for, as a part of what is sealed: a share, the console, a trial, or nothing but the
// login itself.

import { ANY_STRENGTH, isAnyStrength } from '../domain/login-strength.ts';
import { consoleFields, readConsole } from './console-target.ts';
import { type AttemptTarget, isConsoleTarget, isTrialTarget } from './login-target.ts';
import {
  type Field,
  hashField,
  idField,
  numberField,
  optionalHashField,
  type RecordReader,
  textField,
} from './record.ts';
import { readStrength, strengthField } from './strength-field.ts';
import { readTrial, trialFields } from './trial-target.ts';

export function targetFields(target: AttemptTarget): Field {
  if (target === null) return numberField(NOTHING, 1);
  if (isConsoleTarget(target)) return Buffer.concat([numberField(CONSOLE, 1), consoleFields(target)]);
  if (isTrialTarget(target)) return Buffer.concat([numberField(TRIAL, 1), trialFields(target)]);
  const { addressKey, strength = ANY_STRENGTH } = target;
  const share = [
    idField(target.shareId),
    optionalHashField(target.bindingHash),
    textField(target.returnUrl, 2),
  ];
  if (!isAnyStrength(strength))
    return Buffer.concat([
      numberField(SHARE_WITH_STRENGTH, 1),
      ...share,
      optionalHashField(addressKey),
      strengthField(strength),
    ]);
  return Buffer.concat([
    numberField(addressKey === null ? SHARE : SHARE_WITH_KEY, 1),
    ...share,
    ...(addressKey === null ? [] : [hashField(addressKey)]),
  ]);
}

export function readTarget(reader: RecordReader): AttemptTarget {
  const kind = reader.number(1);
  if (kind === NOTHING) return null;
  if (kind === CONSOLE) return readConsole(reader);
  if (kind === TRIAL) return readTrial(reader);
  if (kind !== SHARE && kind !== SHARE_WITH_KEY && kind !== SHARE_WITH_STRENGTH) return reader.malformed();
  const share = {
    shareId: reader.id('shr'),
    bindingHash: reader.optionalHash(),
    returnUrl: reader.text(2),
  };
  if (kind !== SHARE_WITH_STRENGTH)
    return { ...share, addressKey: kind === SHARE_WITH_KEY ? reader.hash() : null };
  return { ...share, addressKey: reader.optionalHash(), strength: readStrength(reader) };
}

const NOTHING = 0;
const SHARE = 1;
const CONSOLE = 2;
const TRIAL = 3;
/** A share, and the key of an address that did not fit. */
const SHARE_WITH_KEY = 4;
/** A share where not any login is strong enough. */
const SHARE_WITH_STRENGTH = 5;

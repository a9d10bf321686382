// What the record of a type of provider says (`provider-kinds.ts`).

import type { FieldName, GivenValues, ProviderValues } from './provider-fields.ts';

export type ProviderKind = {
  /** In the API and in definitions; in doorward.yaml it is the record's own name. */
  readonly spelling: string;
  readonly title: string;
  /** What it is for, and a name for one, where people choose. */
  readonly about: string;
  readonly suggestedName: string;
  /** Stands for many providers, so that its title alone names none. */
  readonly isGeneric: boolean;
  /** Among the scopes, always: without these there is no email address to go by. */
  readonly neededScopes: readonly string[];
  /** What can be set, in the order in which people are asked for it. */
  readonly fields: { readonly [Field in FieldName]?: OwnField<Field> };
  /** What cannot be set since it always holds. */
  readonly always: GivenValues;
  /** A private key may stand in place of its client secret. */
  readonly takesPrivateKey: boolean;
  /** It tells who logged out there, and can log people out there. */
  readonly hasLogout: boolean;
  /**
   * How a refresh token is asked for: at each login whatever the scopes are, by the scope `offline_access`,
   * or not at all.
   */
  readonly refresh: 'always' | 'scope' | 'none';
  /** Asks people for consent, unless told otherwise, when a refresh token needs it. */
  readonly asksConsent: boolean;
  /**
   * What to do there, step by step: `**on the screen**`, `` `as
   * typed` ``, `[page](address)`, and `{redirectUrl}`.
   */
  readonly register: readonly string[];
};

/** A field as a type has it. */
export type OwnField<Field extends FieldName = FieldName> = {
  readonly required?: 'everywhere' | 'in doorward.yaml';
  /** What holds without it, which may follow from other fields. Of a required one: where it is not. */
  readonly absent?: Absent<Field>;
  /** How the reference says what holds without it, where the value does not. */
  readonly without?: string;
  /**
   * One or two sentences of Markdown for the reference of doorward.yaml; none for a field that the file does
   * not have.
   */
  readonly meaning: string;
  /** Where the console's form has it: at once, or under “More settings”. Not at all unless said. */
  readonly asked?: 'first' | 'later';
  /** What the console's form begins with. */
  readonly suggested?: ProviderValues[Field];
  /** In place of the field's own help. */
  readonly help?: string;
};

type Absent<Field extends FieldName> =
  | ProviderValues[Field]
  | ((given: GivenValues) => NonNullable<ProviderValues[Field]>);

// What a setting of a share is, and what its values are in each place that holds one. `share-settings.ts` has
// the settings.
//
// Wherever somebody says what a share is to be (a call, a command, a file, a form), a setting that is left
// out (undefined) is not said: a new share then has what is `unset`, and an existing one keeps what it has.
// Null says that there is to be none.

import type { AccessRuleDocument, ConditionName } from './access-rule.ts';
import type { LoginProviders } from './named-providers.ts';
import type { TextSyntax } from './text-syntax.ts';

export type Setting = About &
  (
    | Text
    /** Null for none, a text for one, a list for several. */
    | (Omit<Text, 'kind'> & { readonly kind: 'names'; readonly most: number })
    /** Null for none. */
    | { readonly kind: 'duration'; readonly unset: null; readonly default: string; readonly example: string }
    | {
        readonly kind: 'texts';
        readonly unset: readonly [];
        readonly syntax: TextSyntax;
        /** How many there may be. */
        readonly most: number;
        /** Each is kept once. */
        readonly distinct?: true;
        readonly example?: readonly string[];
      }
    /** Who gets in, in the share's own rules: see `access-rule.ts`. */
    | { readonly kind: 'rules'; readonly unset: readonly [] }
    /** What each of them means, for people. */
    | { readonly kind: 'choice'; readonly unset: string; readonly choices: Readonly<Record<string, string>> }
    | { readonly kind: 'switch'; readonly unset: boolean }
    /** Said with a change, and not kept: what is `shown` is worked out. */
    | { readonly kind: 'confirmation'; readonly unset: false; readonly shown: string }
    /** Null, or `required: false`, for none. */
    | {
        readonly kind: 'section';
        readonly unset: null;
        readonly required: { readonly description: string; readonly meaning: string };
        readonly parts: Readonly<Record<string, Part>>;
      }
  );

type Text = {
  readonly kind: 'text';
  readonly unset: null;
  readonly syntax: TextSyntax;
  readonly example: string;
};

export type Part = Omit<About, 'needs' | 'excludes'> & Text;

type About = {
  /** What the API's description says of it. */
  readonly description: string;
  /** Settings, all before this one, without which it is back at what is unset. */
  readonly needs?: readonly string[];
  /** Or rules that name providers, which are a login, too. */
  readonly orRules?: true;
  /** The condition by which a rule says the same, for whoever has rules in place of what this needs. */
  readonly inRules?: ConditionName;
  /** For whoever looks for the app: the gateway never has it. */
  readonly forPeople?: true;
  /** Settings that contradict this one. */
  readonly excludes?: readonly string[];
  /** A setting that may make sense of the contradiction. */
  readonly unless?: string;
  /** On the command line: by how they are written there. */
  readonly flags: Readonly<Record<string, Flag>>;
  /** In `agent.yaml`; absent for a setting that it does not have. */
  readonly file?: {
    /** What type of value it is, for people. */
    readonly type: string;
    /** What a new share has where the file does not say it; absent for a confirmation. */
    readonly unsaid?: string;
    /** In a state file, where it is something else there. */
    readonly unsaidInState?: string;
    readonly meaning: string;
  };
  /** In the console. */
  readonly form: {
    /**
     * The part of a share's page that has it; absent for what the page sets in another way, and for parts of
     * a section.
     */
    readonly section?: SettingsSection;
    readonly label: string;
    /** Shown, and changed elsewhere. */
    readonly readOnly?: true;
    readonly help?: string;
    /** What stands for none of it. */
    readonly none?: string;
    /** What a section is, and what stands before each of its parts. */
    readonly before?: string;
  };
  /** Its line where the command line shows a share; absent for what is shown there in another way. */
  readonly line?: {
    readonly title?: string;
    readonly before?: string;
    /** Shown where there is none; absent where nothing is shown then. */
    readonly none?: string;
    /** Shown of a section that asks for nothing in particular. */
    readonly any?: string;
  };
};

export type Flag = {
  readonly help: string;
  /** What the setting is to be; absent for a flag with a value. */
  readonly says?: unknown;
  /** For shares that are there already, alone. */
  readonly on?: 'change';
  /** For whoever left out what another setting needs. */
  readonly hint?: string;
};

/** The parts of a share's page that hold settings, in their order. */
export const SETTINGS_SECTIONS = [
  'Who gets in',
  'Allowed origins',
  'Identity headers',
  'Host header',
  'In My apps',
  'Owner',
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

type PartsOf<S> = S extends { readonly parts: infer Parts }
  ? { readonly [P in keyof Parts]: string | null }
  : never;

/** As somebody says it. */
export type Said<S> = S extends { readonly kind: 'text' | 'duration' }
  ? string | null
  : S extends { readonly kind: 'names' }
    ? LoginProviders
    : S extends { readonly kind: 'texts' }
      ? readonly string[]
      : S extends { readonly kind: 'rules' }
        ? readonly AccessRuleDocument[]
        : S extends { readonly kind: 'choice'; readonly choices: infer Choices }
          ? keyof Choices
          : S extends { readonly kind: 'section' }
            ?
                | ({ readonly required?: boolean | undefined } & {
                    readonly [P in keyof PartsOf<S>]?: PartsOf<S>[P] | undefined;
                  })
                | null
            : boolean;

/** As the API shows it. */
export type Shown<S> = S extends { readonly kind: 'section' }
  ? ({ readonly required: true } & PartsOf<S>) | null
  : Said<S>;

/**
 * As it is kept, and as the gate has it: durations in milliseconds, sections without a word that they are
 * required.
 */
export type Kept<S> = S extends { readonly kind: 'section' }
  ? PartsOf<S> | null
  : S extends { readonly kind: 'duration' }
    ? number | null
    : Said<S>;

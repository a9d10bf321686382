// "Who could get in" at a share, and "what could this person open", as the API answers them. Times are RFC
// 3339.

/** What the gate would do with somebody, as far as is known. */
export type CouldGetIn = {
  /** `depends`: on what `detail` names. */
  readonly outcome: 'allowed' | 'depends' | 'refused';
  /** Why, in words. */
  readonly detail: string;
  /** The rule that lets in, could, or keeps out; null for none in particular. */
  readonly rule: string | null;
};

export type KnownPersonObject = CouldGetIn & {
  /** Null for whoever is known by a certificate alone. */
  readonly email: string | null;
  readonly provider: string | null;
  readonly certificate: {
    readonly id: string;
    readonly commonName: string;
    readonly organizationalUnit: string | null;
  } | null;
  readonly knownBy: 'session' | 'access_request' | 'audit' | 'certificate';
  readonly knownSince: string;
};

/** Whom a rule speaks of, known or not. */
export type RuleSentence = {
  /** Its number among the share's own rules, from 1, or the setting that it comes from: `login`. */
  readonly rule: string;
  readonly effect: 'allow' | 'deny';
  readonly text: string;
};

export type WhoPage = {
  /** The share's name. */
  readonly share: string;
  readonly rules: readonly RuleSentence[];
  /** A page may hold few or none, and still have a `nextCursor`. */
  readonly items: readonly KnownPersonObject[];
  readonly nextCursor: string | null;
};

export type PersonSearch = {
  readonly email?: string | undefined;
  /** Any of a share unless said. */
  readonly provider?: string | undefined;
  /** Id of a client certificate that the person has. */
  readonly certificate?: string | undefined;
};

export type PersonShareObject = CouldGetIn & {
  /** The share's. */
  readonly id: string;
  /** The share's name. */
  readonly share: string;
  readonly url: string;
  /** Where the person would log in; null without a login. */
  readonly provider: string | null;
};

export type PersonSharesPage = {
  /** What is known of the person, by provider. */
  readonly logins: readonly {
    readonly provider: string;
    /** Null where the provider cannot tell, or nobody asked. */
    readonly groups: readonly string[] | null;
    readonly at: string;
  }[];
  /** By the share's name. */
  readonly items: readonly PersonShareObject[];
  readonly nextCursor: string | null;
};

// Where the certified provider of `oidc-provider.ts` keeps its codes, tokens and sessions: plain maps, one
// set a provider, with a hook before a token is read, so that tests can make reading fail or stall.

export type StoredPayload = Record<string, unknown> & {
  uid?: string;
  grantId?: string;
  consumed?: number;
  exp?: number;
};

/** Called before each read. What it throws becomes a 500; `hidden` reads as never stored. */
export type BeforeFind = (model: string, id: string) => Promise<'found' | 'hidden'>;

/** The adapter of one model, in the shape that oidc-provider asks for. */
export type ModelStorage = {
  upsert(id: string, payload: StoredPayload, expiresInSeconds?: number): Promise<void>;
  find(id: string): Promise<StoredPayload | undefined>;
  findByUid(uid: string): Promise<StoredPayload | undefined>;
  findByUserCode(code: string): Promise<StoredPayload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
};

export function createProviderStorage(beforeFind: BeforeFind): (model: string) => ModelStorage {
  const models = new Map<string, Map<string, StoredPayload>>();
  return (model) => {
    const rows = new Map<string, StoredPayload>();
    models.set(model, rows);
    const byUid = (uid: string) => [...rows.values()].find((row) => row.uid === uid);
    return {
      async upsert(id, payload) {
        rows.set(id, payload);
      },
      async find(id) {
        return (await beforeFind(model, id)) === 'hidden' ? undefined : rows.get(id);
      },
      findByUid: async (uid) => byUid(uid),
      findByUserCode: async () => undefined,
      async consume(id) {
        const row = rows.get(id);
        if (row !== undefined) row.consumed = Math.floor(Date.now() / 1000);
      },
      async destroy(id) {
        rows.delete(id);
      },
      async revokeByGrantId(grantId) {
        for (const [name, kept] of models)
          if (TOKENS.has(name)) for (const [id, row] of kept) if (row.grantId === grantId) kept.delete(id);
      },
    };
  };
}

/** The models that end with a grant; an interaction names its grant too, and goes on. */
const TOKENS: ReadonlySet<string> = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken']);

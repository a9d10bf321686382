// A proxy to compare with, while it runs.

export type Peer = {
  readonly name: string;
  /** Name and version as it says itself. */
  readonly version: string;
  readonly pid: () => number;
  readonly port: number;
  readonly close: () => Promise<void>;
};

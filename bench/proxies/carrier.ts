// What carries requests: its end that visitors reach, and its end before the backend.
export type Carrier = {
  readonly title: string;
  readonly pid: () => number;
  readonly agentPid: number | null;
  readonly port: number;
  readonly host: string;
};

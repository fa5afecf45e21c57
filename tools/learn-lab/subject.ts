import type { Bench, Lab, Loose } from '../sdks/lab.ts';

/** Steps that users of a client write. */
export type Steps = (bench: Bench & { document: Loose }) => Promise<void>;

/** A server that runs, a key that it accepts, and its end. */
export type StartedServer = {
  origin: string;
  key: string;
  installed?: string;
  stop: () => Promise<void>;
};

/** A server that is learned, and the steps by which it is recorded. */
export type Subject = {
  name: string;
  /** The server in words, with its version. */
  server: string;
  /** The package of npm that calls it, and others that are needed, each `name@version`. */
  sdk: string;
  packages?: readonly string[];
  /**
   * The place of the document: that of a lab of `npm run sdks`, a path of the server, a file that is
   * installed with it, or a file that no registry has.
   */
  document: { of: Lab } | { at: string } | { installed: string } | { given: string };
  basePath: string;
  /** The key with which the twin lets the client in. */
  twinKey?: string;
  /** Starts a server; `load` loads an installed package. */
  start: (place: {
    installs: string;
    data: string;
    port: number;
    load: Bench['load'];
  }) => Promise<StartedServer>;
  run: Steps;
  /** Words of the steps that each recording has in another form. */
  words: readonly string[];
};

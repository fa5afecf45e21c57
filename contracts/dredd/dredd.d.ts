/** The parts of Dredd 14.1 that this project uses; Dredd ships no types. */
declare module 'dredd' {
  import type { EventEmitter } from 'node:events';

  export type Transaction = {
    readonly origin: Origin;
    readonly request: {
      method: string;
      uri: string;
      headers: Record<string, string>;
      body: string;
    };
    readonly expected: {
      statusCode: string;
      headers: Record<string, string>;
      body?: string;
      bodySchema?: unknown;
    };
    /** The answer, once there is one. */
    readonly real?: { statusCode: number; headers: Record<string, string>; body?: string };
    /** Path and query of the request, those of the endpoint included. */
    fullPath: string;
    skip: boolean;
  };

  /**
   * One object a transaction; its events carry the same one. `actionName` is the operation's
   * `summary`.
   */
  export type Origin = { actionName: string };

  export type Test = {
    origin: Origin;
    results?: { fields?: Record<string, { errors?: { message: string }[] }> };
  };

  /** A hook takes one argument, or Dredd waits for it forever. */
  export type Hooks = {
    beforeEach(hook: (transaction: Transaction) => void): void;
    beforeEachValidation(hook: (transaction: Transaction) => void): void;
    afterEach(hook: (transaction: Transaction) => void): void;
  };

  export type Configuration = {
    endpoint: string;
    apiDescriptions: string[];
    emitter: EventEmitter;
    hookfiles: string[];
    custom: { cwd: string; register: (hooks: Hooks) => void };
    http: { timeout: number; gzip: boolean };
    reporter: string[];
    sorted: boolean;
    loglevel: 'silent';
  };

  export default class Dredd {
    constructor(configuration: Configuration);
    run(callback: (error: Error | null) => void): void;
  }
}

declare module 'dredd/build/reporters/reporterOutputLogger.js' {
  /** The logger of Dredd's own reporter; `module.exports` of a CommonJS module. */
  const exported: { default: { transports: { console: { silent: boolean } } } };
  export default exported;
}

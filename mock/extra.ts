import type { Express, Request, Response } from 'express';
import type { TextAnswer } from './answers/answer.ts';
import type { ParentDeletion } from './behaviours/children.ts';
import type { CallValues, Interception } from './call/steps.ts';
import type { CurlTrust } from './curl/curl-trust.ts';
import type { IssuedIdentity } from './domains/authority.ts';
import type { AdminGroups } from './extras/admin/admin.ts';
import type { ForwardSettings } from './extras/forward/forward.ts';
import type { Tokens } from './extras/schemes/tokens.ts';
import type { WebhookUrl } from './extras/webhooks/endpoints.ts';
import type { Cors } from './http/cors.ts';
import type { GuardHost } from './http/guard-request.ts';
import type { Fetch } from './http/in-process.ts';
import type { ToLimitHeaders } from './http/limit-headers.ts';
import type { EnterSandbox, RecordExchange } from './http/locals.ts';
import type { FailApiCall, SendApiAnswer } from './http/send-answer.ts';
import type { FindIdentity } from './http/server.ts';
import type { ToleranceSettings } from './http/tolerance.ts';
import type { Journals } from './journal/journals.ts';
import type { Log } from './log.ts';
import type { MoveClock } from './sandboxes/move-clock.ts';
import type { Emit, RunTask, TaskListener } from './sandboxes/run-task.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import type { Sandboxes } from './sandboxes/sandboxes.ts';
import type { PreparedFiles } from './served.ts';

/** Describes the process and the server around the routes. */
export type RoutesHost = {
  /** The version of the twin. */
  version: string;
  /** When the twin started, by the system's clock. */
  startedAt: Date;
  /** Whether the server listens on loopback alone. */
  loopback: boolean;
  curlTrust: CurlTrust;
  /** Whether the keys are the built-in ones, which are no secrets. */
  demoKeys: boolean;
  isReady: () => boolean;
  /** Stops the twin. */
  shutdown: () => void;
  log: Log;
  /** Present if the process serves several APIs. */
  siblings?: Siblings;
};

/** The APIs of a process that serves several, as one of them has them. */
export type Siblings = {
  /** The name of this API. */
  api: string;
  /** The names of all, in the order of the settings. */
  names: readonly string[];
  /** The origin at which each API has its name as the first segment of paths. */
  origin: () => string;
  /** Sends a request to the process, without a socket. */
  fetch: Fetch;
  /** Counts the entries of all journals. */
  nextId: () => number;
  /** Opens an API, unless it is open. */
  open: (name: string) => Promise<{ sandboxes: Sandboxes; readonly served: PreparedFiles }>;
  /** Sets the clocks of the sandboxes of the same name in the other APIs. */
  followClock: (sandbox: Sandbox) => Promise<void>;
};

export type RoutesSettings = ToleranceSettings &
  ForwardSettings & {
    /** Whether magic values cause the answers that they name. */
    magicValues: boolean;
    /** Whether to refuse undescribed input that servers tolerate. */
    strictRequests: boolean;
    onDeleteParent: ParentDeletion;
    adminToken?: string;
    /** Origins whose pages may use the admin. */
    adminOrigins: readonly string[];
    /** Host names besides localhost and IP addresses; `*` for any. */
    allowedHosts: readonly string[];
    /**
     * Sends webhooks to these URLs, signed with the secret. The hosts beyond loopback are in
     * `webhookHosts`.
     */
    webhookUrl: readonly WebhookUrl[];
    webhookSecret?: string;
    webhookHosts: readonly string[];
  };

/** Holds the tools of the routes, which stay when other files are served. */
export type RoutesTools = {
  sandboxes: Sandboxes;
  /**
   * Returns the reason why the store cannot be used now, if any; undefined for a store that always
   * can.
   */
  storeProblem: (() => Promise<string | undefined>) | undefined;
  cors: Cors;
  guardHost: GuardHost;
  /** The authority that issues certificates for custom domains; created if not given. */
  domainCa: IssuedIdentity | undefined;
  toLimitHeaders: ToLimitHeaders;
  taskListener: TaskListener;
  /** Calls a listener with each further exchange of any sandbox. */
  listen: Journals['listen'];
  record: RecordExchange;
  /** Answers a request in this process, without a socket. */
  fetch: Fetch;
  send: SendApiAnswer;
  fail: FailApiCall;
};

export type RoutesOptions = {
  served: PreparedFiles;
  host: RoutesHost;
  settings: RoutesSettings;
  /**
   * Sends answers unchanged; `sendOfOperations` lets extras change them and shapes errors as
   * described.
   */
  tools: RoutesTools;
  sendOfOperations: SendApiAnswer;
  enter: EnterSandbox;
};

/** Lists the parts that an extra may add. */
export type ExtraParts = {
  /** Groups of operations of the admin, by their tags. */
  groups?: AdminGroups;
  /** Pages of the admin, by their paths below it: what to show at an origin. */
  adminPages?: Readonly<Record<string, (origin: string) => Promise<TextAnswer>>>;
  /** Answers a request for a host that is none of the twin's own; gives whether it did. */
  serveHost?: (request: Request, response: Response) => Promise<boolean>;
  /** Finds the TLS identity for such a host. */
  findIdentity?: FindIdentity;
  /** Steps that intercept calls. */
  steps?: readonly Interception[];
  /** Supplies values that calls are made with; each is supplied by one extra. */
  values?: (extras: readonly ExtraParts[]) => Partial<CallValues>;
  /** Does tasks by their names, which begin with that of the extra: `webhook:deliver`. */
  tasks?: Readonly<Record<string, RunTask>>;
  /** Sends webhooks for behaviours. */
  emit?: Emit;
  /** Runs once the mock answers with these parts. */
  onServe?: () => void;
  /** Moves a clock, and runs what falls due meanwhile. */
  moveClock?: MoveClock | undefined;
  /** Credentials besides keys. */
  tokens?: Tokens;
  /** Adds routes in front of the operations, or behind them. */
  mountInFront?: (app: Express, extras: readonly ExtraParts[]) => void;
  mountBehind?: (app: Express) => void;
};

/**
 * Creates an optional part of the mock. Returns its additions to the routes, and loads its modules
 * as late as possible.
 */
export type Extra = (options: RoutesOptions) => ExtraParts | Promise<ExtraParts>;

import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import type { Steps } from '../contracts/description/steps.ts';
import { toExcerpt } from '../contracts/look/visible.ts';
import { type AdminHandlers, mountAdmin } from './admin/admin.ts';
import { clockHandlers } from './admin/clock-handlers.ts';
import { createCollectionHandlers } from './admin/collection-handlers.ts';
import { createDataHandlers, dataTraits } from './admin/data-handlers.ts';
import { readAdminDescription } from './admin/description.ts';
import { createDomainHandlers, domainTraits } from './admin/domain-handlers.ts';
import { createFaultHandlers } from './admin/fault-handlers.ts';
import { createLimitHandlers } from './admin/limit-handlers.ts';
import { createOperationHandlers } from './admin/operation-handlers.ts';
import { createParseSnapshot } from './admin/parse-snapshot.ts';
import { createRequestHandlers, requestTraits } from './admin/request-handlers.ts';
import { createSandboxHandlers, sandboxTraits } from './admin/sandbox-handlers.ts';
import { settingsHandlers } from './admin/settings-handlers.ts';
import { createSnapshotHandlers, maxSnapshotBytes } from './admin/snapshot-handlers.ts';
import { createTwinHandlers, twinTraits } from './admin/twin-handlers.ts';
import { type Answer, toErrorAnswer } from './answers/answer.ts';
import { bindBehaviour } from './behaviours/bind.ts';
import type { ParentDeletion } from './behaviours/delete-children.ts';
import { createFreshItems } from './behaviours/pinned-items.ts';
import { mountOperations, mountUnknownPaths } from './call/mount-operations.ts';
import type { CallOptions } from './call/step.ts';
import { toConsolePage } from './console/console-page.ts';
import type { CurlTrust } from './curl/curl-trust.ts';
import { createAnswerWithPrism } from './documented/answer-with-prism.ts';
import type { Authority } from './domains/authority.ts';
import { createReadDomainRules, type ReadDomainRules } from './domains/domain-rules.ts';
import { createForcedSteps } from './forced/forced-steps.ts';
import { type Cors, createPinnedCors } from './http/cors.ts';
import { createFindSimilarPath } from './http/find-similar-path.ts';
import { type GuardHost, isUnknownHost } from './http/guard-host.ts';
import { guardRequest } from './http/guard-request.ts';
import type { ToLimitHeaders } from './http/limit-headers.ts';
import { type EnterSandbox, localsOf } from './http/locals.ts';
import { createPinnedSend } from './http/pinned-send.ts';
import type { RecordExchange } from './http/record-exchange.ts';
import { resolveSandbox } from './http/resolve-sandbox.ts';
import type { FailApiCall, SendApiAnswer } from './http/send-api-answer.ts';
import { createShapedSend } from './http/shaped-send.ts';
import type { Log } from './log.ts';
import { type MountOtherMethods, mountOAuth } from './oauth/mount-oauth.ts';
import { createToDevicePage } from './pages/device-page.ts';
import { mountPages } from './pages/mount-pages.ts';
import { createServeDomain, type ServeDomain } from './pages/serve-domain.ts';
import type { Sandboxes } from './sandboxes/sandboxes.ts';
import { challengeOf, createSecurity } from './security/create-security.ts';
import { oauthServerOf } from './security/oauth-server.ts';
import { createTokens, type Tokens } from './security/tokens.ts';
import type { PreparedServed } from './served.ts';
import { StoreUnavailableError } from './state/store.ts';

/** What the process around the routes gives them. */
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
};

export type RoutesSettings = {
  /** Whether magic values have their answers. */
  magicValues: boolean;
  /** What becomes of the items below one that is deleted. */
  onDeleteParent: ParentDeletion;
  adminToken?: string;
  /** Origins whose pages may use the admin. */
  adminOrigins: readonly string[];
  /** The name server where records of domains are looked up. */
  dnsServer?: string;
  /** Host names besides localhost and IP addresses; `*` for any. */
  allowedHosts: readonly string[];
};

/** What routes answer with, whatever is served. */
export type RoutesTools = {
  sandboxes: Sandboxes;
  /** Why the store cannot be used now; without it, it always can. */
  storeProblem: (() => Promise<string | undefined>) | undefined;
  cors: Cors;
  guardHost: GuardHost;
  /** Issues the certificates of domains. */
  authority: Authority;
  toLimitHeaders: ToLimitHeaders;
  record: RecordExchange;
  send: SendApiAnswer;
  fail: FailApiCall;
};

export type RoutesOptions = {
  served: PreparedServed;
  host: RoutesHost;
  settings: RoutesSettings;
  tools: RoutesTools;
};

/** Puts all that a twin answers on an Express app, in steps. */
export function* mountRoutes(app: Express, options: RoutesOptions): Steps<void> {
  const enter = createEnterSandbox(options.tools.sandboxes);
  const { served, tools } = options;
  const { document } = served;
  const readRules = createReadDomainRules(document);
  const serveDomain = createServeDomain({ ...tools, document, readRules, enter });
  app.use(createEntry(tools, serveDomain));
  mountAdminRoutes(app, enter, options, readRules);
  const pinned = { ...options, tools: withErrorForms(options.served, withPins(options)) };
  const { send } = pinned.tools;
  const oauth = mountOAuthServer(app, enter, options);
  const calls = toCallOptions(enter, pinned, oauth?.tokens);
  yield* mountOperations(app, calls);
  oauth?.mountOtherMethods(send);
  mountPages(app, { ...options.host, ...options.settings, served: options.served });
  mountUnknownPaths(app, calls);
  app.use(createUnknownPath(pinned));
  app.use(createFailure(pinned));
}

/** Mounts the OAuth server that the document asks for, if it does; gives its tokens, and the rest. */
function mountOAuthServer(
  app: Express,
  enter: EnterSandbox,
  { served, host, tools }: RoutesOptions,
): { tokens: Tokens; mountOtherMethods: MountOtherMethods } | undefined {
  const { document, keys } = served;
  const server = oauthServerOf(document);
  if (!server) return undefined;
  const tokens = createTokens(keys);
  const { title } = document;
  const mountOtherMethods = mountOAuth(app, {
    ...{ ...tools, title, server, tokens, keys, enter },
    demoKeys: host.demoKeys,
    toDevicePage: createToDevicePage(title),
  });
  return { tokens, mountOtherMethods };
}

/** The first step of every request: refuses what no path may be asked for, and finds its sandbox. */
function createEntry(
  { guardHost, sandboxes, send }: RoutesTools,
  serveDomain: ServeDomain,
): RequestHandler {
  const refuseUnlessDomain = async (request: Request, response: Response, refusal: Answer) => {
    if (!(await serveDomain(request, response))) send(response, refusal, { step: 'guard' });
  };
  return (request, response, next) => {
    const refusal = guardRequest(request, guardHost);
    if (refusal && isUnknownHost(refusal)) return refuseUnlessDomain(request, response, refusal);
    if (refusal) return send(response, refusal, { step: 'guard' });
    const address = resolveSandbox(request);
    if (address.refusal) return send(response, address.refusal, { step: 'sandbox' });
    const { name, prefix } = address;
    const locals = localsOf(response);
    locals.prefix = prefix;
    if (name !== undefined) {
      locals.sandboxName = name;
      // Only a request that is let in may make a sandbox or close another.
      locals.sandbox = sandboxes.find(name)?.sandbox ?? sandboxes.defaultSandbox;
    }
    request.url = address.url;
    next();
  };
}

/** What routes answer with, errors in the form that the document describes. */
function withErrorForms({ toErrorForm }: PreparedServed, tools: RoutesTools): RoutesTools {
  return toErrorForm ? { ...tools, send: createShapedSend(tools.send, toErrorForm) } : tools;
}

/** What routes answer with, in the forms that are pinned. */
function withPins({ served: { pins }, tools }: RoutesOptions): RoutesTools {
  if (!pins) return tools;
  return {
    ...tools,
    send: createPinnedSend(tools.send, pins),
    cors: pins.cors ? createPinnedCors(tools.cors, pins.cors) : tools.cors,
  };
}

function createEnterSandbox(sandboxes: Sandboxes): EnterSandbox {
  return (response: ServerResponse, locals) => {
    const { sandbox, leave } = sandboxes.enter(locals.sandboxName);
    if (leave) response.once('close', leave);
    locals.sandbox = sandbox;
    return sandbox;
  };
}

function mountAdminRoutes(
  app: Express,
  enter: EnterSandbox,
  options: RoutesOptions,
  readRules: ReadDomainRules,
): void {
  const { host, served, settings } = options;
  const { adminToken, adminOrigins } = settings;
  const { text, document } = readAdminDescription();
  mountAdmin(app, {
    document,
    handlers: createAdminHandlers(text, options, readRules),
    enter,
    traits: operationTraits,
    record: options.tools.record,
    loopback: host.loopback,
    origins: adminOrigins,
    ...(adminToken !== undefined && { token: adminToken }),
    toConsolePage: (origin) => toConsolePage(origin, { ...host, ...served }),
    toAnswer: (error) => toFailureAnswer(error, host.log),
  });
}

const operationTraits = {
  putSnapshot: { body: { limit: maxSnapshotBytes } },
  ...dataTraits,
  ...domainTraits,
  ...requestTraits,
  ...sandboxTraits,
  ...twinTraits,
};

function createAdminHandlers(
  description: string,
  { served, host, settings, tools: { sandboxes, storeProblem, authority } }: RoutesOptions,
  readRules: ReadDomainRules,
): AdminHandlers {
  const { document, keys } = served;
  const names = {
    collections: document.resources.map(({ name }) => name),
    operations: document.operations.map(({ id }) => id),
    keys: keys.map(({ name }) => name),
  };
  return {
    ...createTwinHandlers({ ...host, storeProblem, description, document }),
    ...createOperationHandlers(document),
    ...createSandboxHandlers(sandboxes, names.collections),
    ...createSnapshotHandlers({
      keys,
      sandboxes,
      parse: createParseSnapshot({
        ...{ ...served, ...settings },
        toInitialState: sandboxes.toInitialState,
      }),
    }),
    ...createCollectionHandlers(document),
    ...createDataHandlers(served),
    ...clockHandlers,
    ...createLimitHandlers(keys),
    ...createFaultHandlers(names, sandboxes),
    ...settingsHandlers,
    ...createDomainHandlers({ ...settings, readRules, authority }),
    ...createRequestHandlers({ ...host, document, keys }),
  };
}

function toCallOptions(
  enter: EnterSandbox,
  { served, host, settings, tools }: RoutesOptions,
  tokens: Tokens | undefined,
): CallOptions {
  const { document, pins } = served;
  const { log } = host;
  const { read = 0, list = 0 } = pins?.delays ?? {};
  const pinned = pins && { pins, fresh: createFreshItems(Math.max(read, list)) };
  const answerWithPrism = createAnswerWithPrism(document, log);
  return {
    document,
    send: tools.send,
    cors: tools.cors,
    toLimitHeaders: tools.toLimitHeaders,
    enter,
    security: createSecurity({ ...served, tokens }),
    compileSchema: served.compileSchema,
    record: tools.record,
    pins,
    behaviourOf: (operation) =>
      bindBehaviour(operation, document, {
        ...served,
        ...settings,
        pinned,
        answerWithPrism,
        challengeOf: (one) => challengeOf(document, one),
        log,
      }),
    stepsInsteadOf: (operation) =>
      createForcedSteps(operation, { ...tools, ...settings, document }),
  };
}

function createUnknownPath({ served, tools: { send } }: RoutesOptions): RequestHandler {
  const findSimilarPath = createFindSimilarPath(served.document);
  return (request, response) => {
    const { prefix } = localsOf(response);
    const similar = findSimilarPath(request.path);
    const isOtherSlash =
      similar !== undefined &&
      [request.path, similar].some((path) => [`${request.path}/`, `${similar}/`].includes(path));
    const suggestion = isOtherSlash
      ? `The slash at the end makes the difference: use ${prefix}${similar}.`
      : `Did you mean ${prefix}${similar}?`;
    const advice = similar
      ? suggestion
      : `The API is under ${prefix}${served.document.basePath || '/'}.`;
    const message = `There is no operation at ${prefix}${toExcerpt(request.path, 200)}. ${advice}`;
    send(response, toErrorAnswer('unknown_path', message), { step: 'routing' });
  };
}

function createFailure({ host, tools: { send } }: RoutesOptions): ErrorRequestHandler {
  return (error, _request, response, _next) => {
    const message = error instanceof Error ? error.message : String(error);
    const step = error instanceof StoreUnavailableError ? 'store' : 'failure';
    send(response, toFailureAnswer(error, host.log), { step, message });
  };
}

/** What a store does not do is no failure of the twin; whoever keeps the store logs that. */
function toFailureAnswer(error: unknown, log: Log): Answer {
  if (error instanceof StoreUnavailableError)
    return toErrorAnswer('store_unavailable', error.message);
  log.error(`The twin failed: ${error instanceof Error ? error.stack : String(error)}`);
  return toErrorAnswer('internal_error', 'The twin failed. Its log says why.');
}

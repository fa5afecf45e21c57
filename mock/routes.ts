import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { ErrorRequestHandler, Express } from 'express';
import { type ApiDocument, indexDocument } from '../contracts/description/document.ts';
import { mountAdmin } from './admin/admin.ts';
import { clockHandlers } from './admin/clock-handlers.ts';
import { createFaultHandlers } from './admin/fault-handlers.ts';
import { createLimitHandlers } from './admin/limit-handlers.ts';
import { createParseSnapshot } from './admin/parse-snapshot.ts';
import { createRequestHandlers } from './admin/request-handlers.ts';
import { createSandboxHandlers } from './admin/sandbox-handlers.ts';
import { settingsHandlers } from './admin/settings-handlers.ts';
import { createSnapshotHandlers, snapshotLimit } from './admin/snapshot-handlers.ts';
import { createTwinHandlers } from './admin/twin-handlers.ts';
import { type Answer, toErrorAnswer } from './answers/answer.ts';
import { createAnswerWithPrism } from './behaviours/answer-with-prism.ts';
import { bindBehaviour } from './behaviours/bind.ts';
import type { CurlTrust } from './curl/curl-trust.ts';
import { createForcedSteps } from './forced/forced-steps.ts';
import { mountApi } from './http/api.ts';
import { createAuthenticate } from './http/authenticate.ts';
import type { Cors } from './http/cors.ts';
import { createFindWithOtherSlash } from './http/find-path.ts';
import type { GuardHost } from './http/guard-host.ts';
import { guardRequest } from './http/guard-request.ts';
import { type Locals, localsOf } from './http/locals.ts';
import type { NoteExchange } from './http/note-exchange.ts';
import { resolveSandbox } from './http/resolve-sandbox.ts';
import type { FailApiCall, SendApiAnswer } from './http/send-api-answer.ts';
import type { IndexedFilters } from './items/indexed-filters.ts';
import type { CompileSchema } from './json/validator.ts';
import type { ApiKey } from './limits/plans.ts';
import type { Log } from './log.ts';
import type { ToBeginning } from './sandboxes/sandbox.ts';
import type { Sandboxes } from './sandboxes/sandboxes.ts';

/** What routes answer with while a twin serves one document. */
export type RoutesOptions = {
  document: ApiDocument;
  keys: readonly ApiKey[];
  indexed: IndexedFilters;
  compileSchema: CompileSchema;
  toBeginning: ToBeginning;
  sandboxes: Sandboxes;
  cors: Cors;
  guardHost: GuardHost;
  note: NoteExchange;
  send: SendApiAnswer;
  fail: FailApiCall;
  magicValues: boolean;
  /** Whether the server listens on loopback alone. */
  loopback: boolean;
  adminToken?: string;
  /** Origins whose pages may use the admin. */
  adminOrigins: readonly string[];
  /** The version of the twin. */
  version: string;
  curlTrust: CurlTrust;
  /** Stops the twin. */
  shutdown: () => void;
  log: Log;
  isReady?: () => boolean;
};

/** Puts all that a twin answers on an Express app. */
export function mountRoutes(app: Express, options: RoutesOptions): void {
  const {
    document,
    keys,
    indexed,
    compileSchema,
    toBeginning,
    sandboxes,
    cors,
    guardHost,
    note,
    send,
    fail,
    log,
  } = options;
  const {
    magicValues,
    loopback,
    adminToken,
    adminOrigins,
    version,
    curlTrust,
    shutdown,
    isReady = () => true,
  } = options;
  app.use((request, response, next) => {
    const refusal = guardRequest(request, guardHost);
    if (refusal) return send(response, refusal, { step: 'guard' });
    const address = resolveSandbox(request);
    if (address.refusal) return send(response, address.refusal, { step: 'sandbox' });
    const { name, prefix } = address;
    const locals = localsOf(response);
    locals.prefix = prefix;
    if (name !== undefined) {
      locals.sandboxName = name;
      // A stranger must neither make a sandbox nor close another, so this is no use of it yet.
      locals.sandbox = sandboxes.find(name)?.sandbox ?? sandboxes.usual;
    }
    request.url = address.url;
    next();
  });
  const enter = (response: ServerResponse, locals: Locals) => {
    const { sandbox, leave } = sandboxes.enter(locals.sandboxName);
    if (leave) response.once('close', leave);
    locals.sandbox = sandbox;
    return sandbox;
  };
  const description = readFileSync(new URL('admin/openapi.json', import.meta.url), 'utf8');
  mountAdmin(app, {
    document: indexDocument(JSON.parse(description)),
    handlers: {
      ...createTwinHandlers({ isReady, description, version, document, shutdown }),
      ...createSandboxHandlers(
        sandboxes,
        document.resources.map(({ name }) => name),
      ),
      ...createSnapshotHandlers({
        keys,
        sandboxes,
        parse: createParseSnapshot({ document, compileSchema, keys, toBeginning }),
      }),
      ...clockHandlers,
      ...createLimitHandlers(keys),
      ...createFaultHandlers(
        { operations: document.operations.map(({ id }) => id), keys: keys.map(({ name }) => name) },
        sandboxes,
      ),
      ...settingsHandlers,
      ...createRequestHandlers({ document, keys, version, curlTrust }),
    },
    enter,
    bodyLimits: { putSnapshot: snapshotLimit },
    loopback,
    origins: adminOrigins,
    ...(adminToken !== undefined && { token: adminToken }),
    toAnswer: (error) => toAnswer(error, log),
  });
  const answerWithPrism = createAnswerWithPrism(document, log);
  mountApi(app, send, {
    document,
    cors,
    enter,
    authenticate: createAuthenticate(keys),
    compileSchema,
    note,
    behaviourOf: (operation) =>
      bindBehaviour(operation, document, { indexed, compileSchema, answerWithPrism, log }),
    forcedStepsOf: (operation) =>
      createForcedSteps(operation, { document, send, fail, magicValues }),
  });
  const findWithOtherSlash = createFindWithOtherSlash(document);
  app.use((request, response) => {
    const { prefix } = localsOf(response);
    const similar = findWithOtherSlash(request.path);
    const advice = similar
      ? `The slash at the end makes the difference: use ${prefix}${similar}.`
      : `The API is under ${prefix}${document.basePath || '/'}.`;
    const message = `There is no operation at ${prefix}${request.path.slice(0, 200)}. ${advice}`;
    send(response, toErrorAnswer('unknown_path', message), { step: 'routing' });
  });
  app.use(((error, _request, response, _next) => {
    const reason = {
      step: 'failure',
      message: error instanceof Error ? error.message : String(error),
    } as const;
    send(response, toAnswer(error, log), reason);
  }) satisfies ErrorRequestHandler);
}

function toAnswer(error: unknown, log: Log): Answer {
  log.error(`The twin failed: ${error instanceof Error ? error.stack : String(error)}`);
  return toErrorAnswer('internal_error', 'The twin failed. Its log says why.');
}

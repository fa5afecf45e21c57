import { readFileSync } from 'node:fs';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { type ApiDocument, indexDocument } from '../contracts/document.ts';
import { mountAdmin } from './admin/admin.ts';
import { clockHandlers } from './admin/clock-handlers.ts';
import { createLimitHandlers } from './admin/limit-handlers.ts';
import { createSandboxHandlers } from './admin/sandbox-handlers.ts';
import { createTwinHandlers } from './admin/twin-handlers.ts';
import { bindBehaviour } from './behaviours/bind.ts';
import { type Answer, toErrorAnswer } from './http/answer.ts';
import { mountApi } from './http/api.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { createCors } from './http/cors.ts';
import { createGuardHost } from './http/guard-host.ts';
import { guardRequest } from './http/guard-request.ts';
import { localsOf } from './http/locals.ts';
import { rateLimitHeaders } from './http/rate-limit.ts';
import { resolveSandbox } from './http/resolve-sandbox.ts';
import { createSendApiAnswer } from './http/send-api-answer.ts';
import { createSchemaCompiler } from './http/validator.ts';
import type { ApiKey } from './limits/plans.ts';
import type { Log } from './log.ts';
import { createBeginnings } from './sandboxes/beginnings.ts';
import { createSandbox, type Sandbox } from './sandboxes/sandbox.ts';
import type { SandboxSettings } from './sandboxes/sandbox-state.ts';
import { createSandboxes, type Sandboxes } from './sandboxes/sandboxes.ts';
import { createMakeSeeds } from './seeds.ts';
import { createMemoryStores } from './state/memory-store.ts';

/** Everything that a twin is made of; no file but the admin's own and nothing of the environment is read from here on. */
export type AppDeps = SandboxSettings & {
  document: ApiDocument;
  keys: readonly ApiKey[];
  cors: boolean;
  allowedHosts: readonly string[];
  loopback: boolean;
  /** How many sandboxes there may be besides the default one. */
  maxSandboxes: number;
  /** After how many seconds without use a sandbox is closed; 0 for never. */
  sandboxIdle: number;
  adminToken?: string;
  log: Log;
  isReady?: () => boolean;
};

export type TwinApp = {
  handle: Express;
  sandboxes: Sandboxes;
  /** The headers for answers to what never becomes a request, as a flat list of names and values. */
  bareHeaders: () => string[];
} & Pick<Sandbox, 'clock' | 'store' | 'reset'>;

/** Puts a twin together. This is the one place that picks adapters. */
export async function createApp(deps: AppDeps): Promise<TwinApp> {
  const { document, policy, keys, rateLimits, seed, pets, log, isReady = () => true } = deps;
  const compileSchema = createSchemaCompiler(document);
  const makeSeeds = createMakeSeeds(document, compileSchema);
  const open = createMemoryStores();
  const beginning = { settings: { seed, pets, policy, rateLimits }, seeds: await makeSeeds({ seed, pets }) };
  const sandboxes = createSandboxes({
    create: (name, beginning) => createSandbox(name, { beginning, open }),
    beginning,
    toBeginning: createBeginnings({ twin: beginning, makeSeeds }),
    most: deps.maxSandboxes,
    idle: deps.sandboxIdle * 1000,
    log,
  });
  const { usual } = sandboxes;
  const cors = createCors(deps.cors);
  const guardHost = createGuardHost(deps.allowedHosts);
  const send = createSendApiAnswer(cors);

  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .enable('case sensitive routing')
    .enable('strict routing')
    .set('query parser', false);
  app.use((request, response, next) => {
    const locals = Object.assign(localsOf(response), { sandbox: usual, prefix: '' });
    const refusal = guardRequest(request, guardHost);
    if (refusal) return send(response, refusal, { step: 'guard' });
    const address = resolveSandbox(request);
    if (address.refusal) return send(response, address.refusal, { step: 'sandbox' });
    const { sandbox, leave } = sandboxes.enter(address.name);
    if (leave) response.once('close', leave);
    locals.sandbox = sandbox;
    locals.prefix = address.prefix;
    request.url = address.url;
    next();
  });
  const description = readFileSync(new URL('admin/openapi.json', import.meta.url), 'utf8');
  mountAdmin(app, {
    document: indexDocument(JSON.parse(description)),
    handlers: {
      ...createTwinHandlers({ isReady, description }),
      ...createSandboxHandlers(
        sandboxes,
        document.resources.map(({ name }) => name),
      ),
      ...clockHandlers,
      ...createLimitHandlers(keys),
    },
    loopback: deps.loopback,
    ...(deps.adminToken !== undefined && { token: deps.adminToken }),
    toAnswer: (error) => toAnswer(error, log),
  });
  mountApi(app, send, {
    document,
    cors,
    authenticate: createAuthenticate(keys),
    compileSchema,
    behaviourOf: (operation) => bindBehaviour(operation, document),
  });
  app.use((request, response) => {
    const message = `There is no operation at ${request.path.slice(0, 200)}. The API is under ${document.basePath || '/'}.`;
    send(response, toErrorAnswer('unknown_path', message), { step: 'routing' });
  });
  app.use(((error, _request, response, _next) =>
    send(response, toAnswer(error, log), { step: 'failure' })) satisfies ErrorRequestHandler);
  return {
    handle: app,
    sandboxes,
    clock: usual.clock,
    store: usual.store,
    reset: usual.reset,
    bareHeaders: () => [...rateLimitHeaders(usual.limiter.anonymous()), ...cors.headers],
  };
}

function toAnswer(error: unknown, log: Log): Answer {
  log.error(`The twin failed: ${error instanceof Error ? error.stack : String(error)}`);
  return toErrorAnswer('internal_error', 'The twin failed. Its log says why.');
}

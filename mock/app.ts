import express, { type ErrorRequestHandler, type Express } from 'express';
import type { ApiDocument, Resource } from '../contracts/document.ts';
import { describeSchema } from '../contracts/document.ts';
import { generateItems, type Item, readNamedItems } from '../fixtures/generate.ts';
import { mountAdmin } from './admin/admin.ts';
import { bindBehaviour } from './behaviours/bind.ts';
import { idOf, toStoredItem } from './behaviours/stored-item.ts';
import { type ControlledClock, createClock } from './clock.ts';
import { type Answer, toErrorAnswer } from './http/answer.ts';
import { createSendApiAnswer, mountApi } from './http/api.ts';
import { createAuthenticate } from './http/authenticate.ts';
import { createCors } from './http/cors.ts';
import { parseExact } from './http/exact-json.ts';
import { createGuardHost } from './http/guard-host.ts';
import { guardRequest } from './http/guard-request.ts';
import { rateLimitHeaders } from './http/rate-limit.ts';
import { type CompileSchema, createSchemaCompiler } from './http/validator.ts';
import { createLimiter, type LimitMode } from './limits/limiter.ts';
import type { ApiKey, LimitPolicy } from './limits/plans.ts';
import type { Log } from './log.ts';
import { createMemoryStore } from './state/memory-store.ts';
import type { Seeds, Store } from './state/store.ts';

/** Everything that a twin is made of; nothing is read from files or the environment from here on. */
export type AppDeps = {
  document: ApiDocument;
  policy: LimitPolicy;
  keys: readonly ApiKey[];
  rateLimits: LimitMode;
  seed: number;
  /** Items in each collection at the start. */
  pets: number;
  cors: boolean;
  allowedHosts: readonly string[];
  loopback: boolean;
  adminToken?: string;
  log: Log;
  clock?: ControlledClock;
  isReady?: () => boolean;
};

export type TwinApp = {
  handle: Express;
  clock: ControlledClock;
  store: Store;
  /** The headers for answers to what never becomes a request, as a flat list of names and values. */
  bareHeaders: () => string[];
  reset: () => Promise<void>;
};

/** Puts a twin together. This is the one place that picks adapters. */
export async function createApp(deps: AppDeps): Promise<TwinApp> {
  const { document, policy, keys, rateLimits, log, clock = createClock(), isReady = () => true } = deps;
  const anonymousPlan = policy.plans.free ?? Object.values(policy.plans)[0] ?? { name: 'free', perMinute: 60, perDay: 1000 };
  const compileSchema = createSchemaCompiler(document);
  const store = createMemoryStore(await seedCollections(deps, compileSchema));
  const limiter = createLimiter({ clock, mode: rateLimits, ban: policy.ban, anonymousPlan });
  const cors = createCors(deps.cors);
  const guardHost = createGuardHost(deps.allowedHosts);
  const reset = async () => {
    await store.reset();
    limiter.reset();
    clock.reset();
  };
  const send = createSendApiAnswer({ limiter, cors });

  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .enable('case sensitive routing')
    .enable('strict routing')
    .set('query parser', false);
  app.use((request, response, next) => {
    const refusal = guardRequest(request, guardHost);
    if (refusal) send(response, refusal);
    else next();
  });
  mountAdmin(app, {
    clock,
    limiter,
    keys,
    rateLimits,
    ban: policy.ban,
    loopback: deps.loopback,
    ...(deps.adminToken !== undefined && { token: deps.adminToken }),
    isReady,
    reset,
    toAnswer: (error) => toAnswer(error, log),
  });
  mountApi(app, send, {
    document,
    clock,
    limiter,
    cors,
    authenticate: createAuthenticate(keys),
    compileSchema,
    behaviourOf: (operation) => bindBehaviour(operation, { document, store }),
  });
  app.use((request, response) => {
    const message = `There is no operation at ${request.path.slice(0, 200)}. The API is under ${document.basePath || '/'}.`;
    send(response, toErrorAnswer('unknown_path', message));
  });
  app.use(((error, _request, response, _next) => send(response, toAnswer(error, log))) satisfies ErrorRequestHandler);
  return { handle: app, clock, store, reset, bareHeaders: () => [...rateLimitHeaders(limiter.anonymous()), ...cors.headers] };
}

function toAnswer(error: unknown, log: Log): Answer {
  log.error(`The twin failed: ${error instanceof Error ? error.stack : String(error)}`);
  return toErrorAnswer('internal_error', 'The twin failed. Its log says why.');
}

async function seedCollections({ document, pets, seed }: AppDeps, compileSchema: CompileSchema): Promise<Record<string, Seeds>> {
  const seeds: Record<string, Seeds> = {};
  for (const resource of document.resources) {
    const named = (await readFittingItems(resource, compileSchema)).slice(0, pets);
    const generated = generateItems(resource, {
      count: pets - named.length,
      seed,
      describe: (schema) => describeSchema(document, schema),
    });
    const items = [
      ...named,
      ...generated.map((item, index) => ({ ...item, [resource.idProperty]: idOf(named.length + index + 1, resource.idSchema) })),
    ].map((item) => toStoredItem(resource, item));
    seeds[resource.name] = { items, next: items.length + 1 };
  }
  return seeds;
}

/** The named items of a resource; none where another document describes other items under the same name. */
async function readFittingItems(resource: Resource, compileSchema: CompileSchema): Promise<Item[]> {
  const { value, doubles } = parseExact(await readNamedItems(resource.name));
  const problems = compileSchema({ type: 'array', items: { type: 'object', ...resource.item } })(doubles);
  return problems ? [] : (value as Item[]);
}

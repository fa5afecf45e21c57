import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { toExcerpt } from '../../common/look/visible.ts';
import { remembered } from '../../common/remembered.ts';
import { type ReadDocument, readDocument } from '../../openapi/index.ts';
import { type Answer, type TextAnswer, toErrorAnswer, toFailureAnswer } from '../answers/answer.ts';
import type { TwinApp } from '../app.ts';
import type { ClockState } from '../clock.ts';
import type { Siblings } from '../extra.ts';
import { createExpressApps } from '../http/express-apps.ts';
import { createGuardHost, guardRequest } from '../http/guard-request.ts';
import type { Fetch } from '../http/in-process.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { createCounter } from '../journal/journals.ts';
import { createListener, type Listener, reachable, type ServerParts } from '../listener.ts';
import type { Log } from '../log.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { type Apis, noPort } from '../settings/apis.ts';
import type { Config } from '../settings/settings.ts';
import { type OpenedApp, type OpenTwinOptions, openApp, type Twin, toTwin } from '../twin.ts';
import { createAdminOfAll } from './admin-of-all.ts';
import { createFindApi, type FoundApi } from './find-api.ts';
import { type ServedApi, toIndex } from './index-page.ts';

// Loaded together, where there are several APIs.
export { toBannerOfAll } from './banner.ts';

/** Several mocks in one process, with one clock and one journal. */
export type Twins = {
  /** The origin at which each API is below its name. */
  origin: string;
  apis: readonly ServedApi[];
  loopback: boolean;
  fetch: Fetch;
  /** Opens an API, unless it is open. Throws UsageError or DocumentError. */
  open: (name: string) => Promise<Twin>;
  /** Opens all, one after another. Throws UsageError or DocumentError. */
  openAll: () => Promise<void>;
  close: () => Promise<void>;
};

export type OpenTwinsOptions = Omit<OpenTwinOptions, 'given'> & {
  /** The contents of files, by the names of the APIs. */
  given?: ReadonlyMap<string, OpenTwinOptions['given']>;
};

/**
 * Reads the documents and listens. An API is compiled at its first request, or by `openAll`, so
 * that none delays the others. Throws UsageError or DocumentError.
 */
export async function openTwins(
  { config, apis }: { config: Config; apis: Apis },
  options: OpenTwinsOptions,
): Promise<Twins> {
  const documents = new Map<string, ReadDocument>();
  for (const [name, { spec = '', overlay, allowRefs }] of apis) {
    const overlaid = options.given?.get(name)?.overlay ?? overlay;
    documents.set(name, await readDocument(spec, { overlay: overlaid, allowRefs }));
  }
  const names = [...apis.keys()];
  const listed: ServedApi[] = [...documents].map(([name, { head }]) => {
    return { name, spec: apis.get(name)?.spec ?? '', ...head };
  });
  const listener = await createListener(config, options);
  const { fetch, loopback } = listener;
  let origin = '';
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  let closed: Promise<unknown> | undefined;
  const close = async () => {
    state = 'stopping';
    for (const { app } of ready.values()) app.journals.close();
    closed ??= listener
      .close()
      .then(() => Promise.all([...ready.values()].map((opened) => opened.close())));
    await closed;
  };
  const { ready, open, expressApps } = createOpener(
    { apis, documents, listener },
    { ...options, state: () => state, origin: () => origin, close },
  );
  // A document may have been reloaded since it was listed.
  const listNow = () =>
    listed.map((api) => {
      const { title, version, basePath } = ready.get(api.name)?.app.served.document ?? api;
      return { ...api, title, version, basePath };
    });
  const adminOfAll = createAdminOfAll(names, fetch);
  const allowedHosts = [...config.allowedHosts, ...names];
  const { enter, dispatch } = createDispatch(names, {
    ...{ ready, open, log: options.log },
    answerRest: createAnswerRest(listNow, { adminOfAll, allowedHosts }),
  });
  const toServed = (handle: ServerParts['handle'], name = names[0] ?? ''): ServerParts => ({
    handle,
    classes: expressApps.classes,
    bare: {
      headers: () => ready.get(name)?.app.bare.headers() ?? [],
      record: (...sent) => ready.get(name)?.app.bare.record(...sent),
      toForm: (answer) => ready.get(name)?.app.bare.toForm?.(answer) ?? answer,
    },
    findIdentity: async (host) => ready.get(name)?.app.findIdentity(host),
  });
  try {
    origin = await listener.open(toServed(dispatch), config.port);
    for (const api of listed) {
      const { name } = api;
      const { port = noPort } = apis.get(name) ?? {};
      if (port === noPort || options.listen === false) continue;
      const handle: ServerParts['handle'] = (request, response) =>
        enter({ name, mount: '', url: request.url ?? '' }, request, response);
      api.origin = await listener.open(toServed(handle, name), port);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...{ origin, apis: listed, loopback, fetch, close },
    open: async (name) => toTwin(await open(name), { listener, origin, close }),
    async openAll() {
      for (const name of names) {
        await open(name);
        // Requests that came meanwhile are answered before the next one is compiled.
        await setImmediate();
      }
      if (state === 'starting') state = 'ready';
    },
  };
}

type OpenerOptions = OpenTwinsOptions & {
  state: () => 'starting' | 'ready' | 'stopping';
  origin: () => string;
  close: () => Promise<void>;
};

/** Opens APIs, each once, whose clocks are one. `ready` has those that are open. */
function createOpener(
  parts: { apis: Apis; documents: Map<string, ReadDocument>; listener: Listener },
  { log, given, state, origin, close, ...options }: OpenerOptions,
) {
  const { apis, documents, listener } = parts;
  const [expressApps, nextId] = [createExpressApps(), createCounter()];
  const ready = new Map<string, OpenedApp>();
  /** States that clocks are being moved to, by the names of their sandboxes. */
  const moves = new Map<string, ClockState>();
  const common: Omit<Siblings, 'api'> = {
    names: [...apis.keys()],
    fetch: listener.fetch,
    nextId,
    origin: () => reachable(origin()),
    open: async (name) => (await openOnce(name)).app,
    async followClock({ name, clock }) {
      const state = clock.save();
      moves.set(name, state);
      // The last of several moves at a time counts for all, its own API included.
      for (const { app } of ready.values())
        if (moves.get(name) === state) await app.moveClock(app.sandboxes.get(name), state);
      if (moves.get(name) === state) moves.delete(name);
    },
  };
  const open = async (name: string) => {
    const read = documents.get(name);
    documents.delete(name);
    const opened = await openApp(
      apis.get(name) as Config,
      { ...options, log: withName(log, name), given: given?.get(name) ?? {}, read },
      {
        listener,
        apps: expressApps,
        isReady: () => state() === 'ready',
        shutdown: options.onShutdown ?? (() => void close()),
        siblings: { api: name, ...common },
      },
    );
    const [other] = ready.values();
    if (other) await followClocks(opened.app, other.app);
    ready.set(name, opened);
    if (state() === 'stopping') await opened.close();
    else opened.begin();
    return opened;
  };
  const openOnce = remembered(open);
  return { ready, open: openOnce, expressApps };
}

type DispatchOptions = Pick<ReturnType<typeof createOpener>, 'ready' | 'open'> & {
  answerRest: ReturnType<typeof createAnswerRest>;
  log: Log;
};

/** Creates what leads requests to their APIs, which are opened for them. */
function createDispatch(
  names: readonly string[],
  { ready, open, answerRest, log }: DispatchOptions,
) {
  const [first = ''] = names;
  const findApi = createFindApi(names);
  const fail = (response: ServerResponse) => (error: unknown) =>
    sendAnswer(response, toFailureAnswer(error, log), []);
  const enter = (found: FoundApi, request: IncomingMessage, response: ServerResponse) => {
    const { name, mount, url } = found;
    if (mount !== '') Object.assign(request, { originalUrl: request.url, url });
    const opened = ready.get(name);
    if (opened) return opened.handle(request, response, mount);
    open(name).then(({ handle }) => handle(request, response, mount), fail(response));
  };
  const dispatch = (request: IncomingMessage, response: ServerResponse) => {
    const found = findApi(request);
    if (found) return enter(found, request, response);
    const { url = '' } = request;
    if (ofFirst.test(url))
      return enter({ name: first, mount: `/${first}`, url }, request, response);
    answerRest(request).then(
      (answer) => sendAnswer(response, answer, ['Cache-Control', 'no-store']),
      fail(response),
    );
  };
  return { enter, dispatch };
}

/** Paths that the first API answers for all: of what is the same in each, and of pages' files. */
const ofFirst =
  /^(?:\/sandboxes\/[^/?]+)?\/(?:__pages\/|__admin(?:\/?(?:$|\?)|\/(?:clock|shutdown|openapi\.json|mcp)(?:[/?]|$)))|^\*$/;

/** Answers what is for no single API: the list of APIs, their admin, and unknown paths. */
function createAnswerRest(
  list: () => readonly ServedApi[],
  {
    adminOfAll,
    allowedHosts,
  }: { adminOfAll: ReturnType<typeof createAdminOfAll>; allowedHosts: readonly string[] },
) {
  const guardHost = createGuardHost(allowedHosts);
  return async (request: IncomingMessage): Promise<Answer | TextAnswer> => {
    const refusal = guardRequest(request, guardHost);
    if (refusal) return refusal;
    const apis = list();
    const url = (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '');
    if (/^\/__admin\/console\/?(?:$|\?)/.test(url)) {
      const headers = { Location: `../${apis[0]?.name}/__admin/console` };
      return { status: 302, text: '', mediaType: 'text/plain', headers };
    }
    if (/^(?:\/sandboxes\/[^/?]+)?\/__admin(?:[/?]|$)/.test(url)) return adminOfAll(request, url);
    if (/^\/?(?:\?|$)/.test(url)) return toIndex(request, apis);
    return toErrorAnswer(
      'unknown_path',
      `There is no API at ${toExcerpt(url, 200)}. There are ${apis.map(({ name }) => `/${name}`).join(', ')}.`,
    );
  };
}

/** Sets the clocks of sandboxes to those of the sandboxes of the same name of another app. */
async function followClocks(app: TwinApp, { sandboxes }: TwinApp): Promise<void> {
  for (const { sandbox } of sandboxes.list()) await followClock(app, sandbox);
}

async function followClock(app: TwinApp, { name, clock }: Sandbox): Promise<void> {
  const own = app.sandboxes.get(name);
  const state = clock.save();
  if (!isDeepStrictEqual(own.clock.save(), state)) await app.moveClock(own, state);
}

/** Names the API before each line of the log. */
function withName(log: Log, name: string): Log {
  const named = (write: (message: string) => void) => (message: string) =>
    write(`${name}: ${message}`);
  const { level, error, warn, info, debug } = log;
  // A line of --log-transaction is JSON, and names the API itself.
  return {
    level,
    error: named(error),
    warn: named(warn),
    info: (message) => (message.startsWith('{') ? info(message) : named(info)(message)),
    debug: named(debug),
  };
}

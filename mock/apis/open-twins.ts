import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { toExcerpt } from '../../common/look/visible.ts';
import { readHead } from '../../openapi/index.ts';
import { type Answer, type TextAnswer, toErrorAnswer, toFailureAnswer } from '../answers/answer.ts';
import type { TwinApp } from '../app.ts';
import type { ClockState } from '../clock.ts';
import type { Siblings } from '../extra.ts';
import { createExpressApps } from '../http/express-apps.ts';
import { createGuardHost, guardRequest } from '../http/guard-request.ts';
import type { Fetch } from '../http/in-process.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { createCounter } from '../journal/journals.ts';
import { createListener, reachable, type Served } from '../listener.ts';
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
  const { log, given } = options;
  const names = [...apis.keys()];
  const listed: ServedApi[] = [];
  for (const [name, own] of apis) {
    const { spec = '', overlay, allowRefs } = own;
    const overlaid = given?.get(name)?.overlay ?? overlay;
    listed.push({ name, spec, ...(await readHead(spec, { overlay: overlaid, allowRefs })) });
  }
  const listener = await createListener(config, options);
  const [expressApps, nextId] = [createExpressApps(), createCounter()];
  const ready = new Map<string, OpenedApp>();
  const opening = new Map<string, Promise<OpenedApp>>();
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  /** States that clocks are being moved to, by the names of their sandboxes. */
  const moves = new Map<string, ClockState>();
  let origin = '';

  const siblingsOf = (api: string): Siblings => ({
    api,
    names,
    fetch: listener.fetch,
    nextId,
    origin: () => reachable(origin),
    open: async (name) => (await openOnce(name)).app,
    async followClock({ name, clock }) {
      const state = clock.save();
      moves.set(name, state);
      // The last of several moves at a time counts for all, its own API included.
      for (const { app } of ready.values())
        if (moves.get(name) === state) await app.moveClock(app.sandboxes.get(name), state);
      if (moves.get(name) === state) moves.delete(name);
    },
  });
  const open = async (name: string) => {
    const opened = await openApp(
      apis.get(name) as Config,
      { ...options, log: withName(log, name), given: given?.get(name) ?? {} },
      {
        listener,
        apps: expressApps,
        isReady: () => state === 'ready',
        shutdown: options.onShutdown ?? (() => void close()),
        siblings: siblingsOf(name),
      },
    );
    const [other] = ready.values();
    if (other) await followClocks(opened.app, other.app);
    ready.set(name, opened);
    if (state === 'stopping') await opened.close();
    else opened.begin();
    return opened;
  };
  const openOnce = (name: string) => {
    const found = opening.get(name) ?? open(name);
    opening.set(name, found);
    return found;
  };
  const enter = (
    { name, mount, url }: FoundApi,
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    if (mount !== '') Object.assign(request, { originalUrl: request.url, url });
    const opened = ready.get(name);
    if (opened) return opened.handle(request, response, mount);
    openOnce(name).then(
      ({ handle }) => handle(request, response, mount),
      (error) => sendAnswer(response, toFailureAnswer(error, log), []),
    );
  };
  const findApi = createFindApi(names);
  // A document may have been reloaded since it was listed.
  const listNow = () =>
    listed.map((api) => {
      const { title, version, basePath } = ready.get(api.name)?.app.served.document ?? api;
      return { ...api, title, version, basePath };
    });
  const answerRest = createAnswerRest(listNow, {
    adminOfAll: createAdminOfAll(names, listener.fetch),
    allowedHosts: [...config.allowedHosts, ...names],
  });
  const [first = ''] = names;
  const dispatch = (request: IncomingMessage, response: ServerResponse) => {
    const found = findApi(request);
    if (found) return enter(found, request, response);
    const { url = '' } = request;
    if (ofFirst.test(url))
      return enter({ name: first, mount: `/${first}`, url }, request, response);
    answerRest(request).then(
      (answer) => sendAnswer(response, answer, ['Cache-Control', 'no-store']),
      (error) => sendAnswer(response, toFailureAnswer(error, log), []),
    );
  };
  const served = (handle: Served['handle'], name = first): Served => ({
    handle,
    classes: expressApps.classes,
    bare: {
      headers: () => ready.get(name)?.app.bare.headers() ?? [],
      record: (...sent) => ready.get(name)?.app.bare.record(...sent),
      toForm: (answer) => ready.get(name)?.app.bare.toForm?.(answer) ?? answer,
    },
    findIdentity: async (host) => ready.get(name)?.app.findIdentity(host),
  });
  let closed: Promise<unknown> | undefined;
  const close = async () => {
    state = 'stopping';
    for (const { app } of ready.values()) app.journals.close();
    closed ??= listener
      .close()
      .then(() => Promise.all([...ready.values()].map((opened) => opened.close())));
    await closed;
  };
  try {
    origin = await listener.open(served(dispatch), config.port);
    for (const api of listed) {
      const { name } = api;
      const { port = noPort } = apis.get(name) ?? {};
      if (port === noPort || options.listen === false) continue;
      const handle: Served['handle'] = (request, response) =>
        enter({ name, mount: '', url: request.url ?? '' }, request, response);
      api.origin = await listener.open(served(handle, name), port);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    origin,
    apis: listed,
    loopback: listener.loopback,
    fetch: listener.fetch,
    async open(name) {
      const opened = await openOnce(name);
      return toTwin(opened, { listener, origin, close });
    },
    async openAll() {
      for (const name of names) {
        await openOnce(name);
        // Requests that came meanwhile are answered before the next one is compiled.
        await setImmediate();
      }
      if (state === 'starting') state = 'ready';
    },
    close,
  };
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

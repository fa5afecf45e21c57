import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import type { Request } from 'express';
import { explainConnection } from '../../../common/cli/explain-connection.ts';
import { UsageError } from '../../../common/cli/usage-error.ts';
import {
  Beginning,
  openRequest,
  type RawHeaders,
  withoutHops,
} from '../../../common/http/forward.ts';
import { toExcerpt } from '../../../common/look/visible.ts';
import type { Api, Operation } from '../../../openapi/index.ts';
import { keyPlacesOf } from '../../../openapi/model/key-places.ts';
import { isolationOf, toErrorAnswer } from '../../answers/answer.ts';
import type { CallOptions, Handle, Interception, Step } from '../../call/steps.ts';
import { placeKey, withQuery } from '../../curl/place-key.ts';
import { findNamedOperations } from '../../documented/named-operations.ts';
import type { ToleranceSettings } from '../../http/tolerance.ts';
import { maxBody } from '../../journal/exchange.ts';
import type { Reason } from '../../journal/reason.ts';
import type { ByteText } from '../../json/exact-json.ts';

type ForwardOptions = Pick<CallOptions, 'document' | 'send' | 'record' | 'cors'> & {
  /** The base URL of the service, without a slash at its end. */
  target: string;
  /** The key that replaces the credentials of callers, if any. */
  key: string | undefined;
};

/** How long the service may send nothing, in milliseconds. */
const patience = 30_000;

/**
 * A segment `.` or `..` of a path, however it is written: a service that resolves it would answer
 * with another operation than the one that is forwarded.
 */
const dotSegment = /^[^?]*?(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\;?#]|%2f|%5c|%3b|$)/i;
const leadsElsewhere = [
  'malformed_request',
  'A path that is forwarded must not have a segment "." or "..", percent-encoded or not.',
] as const;

/**
 * Creates the step that forwards calls of an operation to a real service, and returns its
 * responses. Bodies are streamed. If there is no response, the step sends a 502, or a 504 after
 * {@link patience}.
 */
function createForward(operation: Operation, options: ForwardOptions): Handle {
  const { document, target, key, send, record, cors } = options;
  const url = new URL(target);
  const { origin, host, pathname } = url;
  const base = pathname.replace(/\/$/, '');
  const replaceKey = createReplaceKey(operation, key);
  return (locals) => {
    const { request, response } = locals;
    const path = request.url.replace(/^https?:\/\/[^/?]*/i, '').slice(document.basePath.length);
    const reason: Reason = { step: 'forwarded', url: target + path.split('?', 1)[0] };
    if (dotSegment.test(path)) return send(response, toErrorAnswer(...leadsElsewhere), reason);
    const [body, content] = [new Beginning(maxBody), new Beginning(maxBody)];
    let isOver = false;
    /** Ends the call; the first outcome counts. */
    const end = (how: () => void) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (body.length > 0) locals.received = body.bytes();
      locals.wholeBody = body.length;
      how();
    };
    /** Answers with an Error, or cuts off an answer that has begun. */
    const fail = (code: 'bad_gateway' | 'gateway_timeout', problem: string) => {
      if (!response.headersSent)
        end(() => send(response, toErrorAnswer(code, `${origin} ${problem}`), reason));
      else if (!isOver) response.destroy();
    };
    const timer = setTimeout(() => {
      fail('gateway_timeout', `has sent nothing for ${patience / 1000} s.`);
      outgoing?.destroy();
    }, patience);
    const goOn = () => void timer.refresh();
    let sentFields: string[] = [];
    const replaced = replaceKey(request, path);
    const headers = [...replaced.headers, 'Host', host];
    const outgoing = attempt(
      () =>
        openRequest(url, {
          method: request.method,
          path: base + replaced.path,
          headers,
          agent: false,
        }),
      (error) => fail('bad_gateway', `cannot be sent this request: ${error.message}.`),
    );
    if (!outgoing) return;
    outgoing.on('error', (error: NodeJS.ErrnoException) =>
      fail('bad_gateway', `cannot be used: ${explainConnection(error.code ?? error.message)}.`),
    );
    outgoing.on('upgrade', (_, socket) => {
      socket.destroy();
      fail('bad_gateway', 'switches to another protocol, which is not forwarded.');
    });
    outgoing.on('response', (incoming) => {
      const { statusCode = 0, statusMessage, rawHeaders } = incoming;
      const place = undescribedRedirect(incoming, operation);
      if (place !== undefined) {
        fail('bad_gateway', `redirects to ${place}. Forward to where it leads, or describe it.`);
        return void outgoing.destroy();
      }
      const isolation = isolationOf(incoming.headersDistinct['content-type']?.join() ?? '');
      const isOurs = (name: string) =>
        (cors.headers.length > 0 && name.startsWith('access-control-')) ||
        (name === 'x-content-type-options' && 'X-Content-Type-Options' in isolation);
      const own = [...cors.headers, ...Object.entries(isolation).flat()];
      sentFields = [...passedHeaders(rawHeaders, isOurs), ...own];
      response.sendDate = false;
      if (!attempt(() => response.writeHead(statusCode, statusMessage, sentFields))) {
        fail('bad_gateway', 'answered with headers that cannot be passed on.');
        return void outgoing.destroy();
      }
      response.flushHeaders();
      incoming.on('data', (chunk: Buffer) => content.add(chunk)).on('data', goOn);
      // An answer that ends too early is cut off for the client as well.
      pipeline(incoming, response, () => {});
    });
    response.once('close', () => {
      outgoing.destroy();
      const sent = {
        status: response.statusCode,
        fields: sentFields,
        content: content.bytes().toString('latin1') as ByteText,
        wholeContent: content.length,
      };
      end(() => record(response, reason, sent));
    });
    if (request.headers.expect !== undefined) response.writeContinue();
    request.on('data', (chunk: Buffer) => body.add(chunk)).on('data', goOn);
    request.pipe(outgoing);
  };
}

/** Returns the result of a function; undefined if it throws. */
function attempt<T>(act: () => T, onError: (error: Error) => void = () => {}): T | undefined {
  try {
    return act();
  } catch (error) {
    onError(error as Error);
    return undefined;
  }
}

/** Returns the target of a redirect, unless the document describes redirects of the operation. */
function undescribedRedirect(
  { statusCode = 0, headers: { location } }: IncomingMessage,
  { responses }: Operation,
): string | undefined {
  const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined;
  const isDescribed = responses.some(
    ({ status }) => /^3xx$/i.test(status) || +status === statusCode,
  );
  return isRedirect && !isDescribed ? toExcerpt(location.split('?', 1)[0] ?? '', 200) : undefined;
}

/** Fields that are for the twin, and the host, which is that of the service. */
const ofTwin: ReadonlySet<string> = new Set(['expect', 'host', 'x-sandbox']);

/** Fields of the connection and the form of a body, which Node sets for the other side anew. */
const setAnew: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/**
 * Headers, names and values in turn, without those of one connection, and without those that are
 * dropped by their names in lower case.
 */
function passedHeaders(raw: RawHeaders, isDropped: (name: string) => boolean): string[] {
  return withoutHops(raw)
    .filter(([name]) => !setAnew.has(name.toLowerCase()) && !isDropped(name.toLowerCase()))
    .flat();
}

/** A request as the service gets it: its headers without Host, and its path with the query. */
type ForwardedRequest = { headers: string[]; path: string };

/**
 * Creates a function that puts a key where calls of an operation carry one, in place of the
 * caller's. Without a key, the caller's credentials pass unchanged.
 */
function createReplaceKey(
  operation: Operation,
  key: string | undefined,
): (request: Request, path: string) => ForwardedRequest {
  const places = key === undefined ? [] : keyPlacesOf(operation);
  const placed = placeKey(places, key ?? '');
  const cookies = new Set(placed.cookies.map(([name]) => name));
  const parameters = new Set(placed.query.map(([name]) => name));
  const replaced = new Set(Object.keys(placed.headers).map((name) => name.toLowerCase()));
  // The key of the twin is none of the service.
  if (key !== undefined) replaced.add('authorization');
  if (cookies.size > 0) replaced.add('cookie');
  const isDropped = (name: string) => ofTwin.has(name) || replaced.has(name);
  return ({ rawHeaders, headers }, path) => {
    const all = [...passedHeaders(rawHeaders, isDropped), ...Object.entries(placed.headers).flat()];
    if (headers['transfer-encoding'] !== undefined) all.push('Transfer-Encoding', 'chunked');
    if (cookies.size > 0) {
      const others = (headers.cookie ?? '')
        .split(/; */)
        .filter((one) => one !== '' && !cookies.has(one.split('=', 1)[0] as string));
      all.push('Cookie', [...others, ...placed.cookies.map((pair) => pair.join('='))].join('; '));
    }
    return { headers: all, path: withQuery(withoutParameters(path, parameters), placed.query) };
  };
}

/** A path and query without the parameters of these names; all others stay as they were sent. */
function withoutParameters(path: string, names: ReadonlySet<string>): string {
  const [before = '', query] = path.split(/\?(.*)/s);
  if (query === undefined || names.size === 0) return path;
  const others = query.split('&').filter((pair) => {
    const [name = ''] = new URLSearchParams(pair).keys();
    return !names.has(name);
  });
  return others.length > 0 ? `${before}?${others.join('&')}` : before;
}

export type ForwardSettings = Pick<ToleranceSettings, 'auth' | 'forwardKey'> & {
  /** The base URL of a real service that answers some operations. */
  forward?: string;
  /** These, by id or as a method and a path in which `*` stands for anything. */
  forwardOperations: readonly string[];
};

/**
 * Forwards operations to a real service. Throws {@link UsageError} if the operations or the URL are
 * missing.
 */
export function toForwardParts(
  document: Api,
  settings: ForwardSettings,
): { steps: Interception[] } {
  const { forward: target, forwardOperations: names, forwardKey: key } = settings;
  if (target === undefined)
    throw new UsageError(
      `${names.length > 0 ? '--forward-operations' : '--forward-key'} needs --forward URL, the base URL of the real service.`,
    );
  if (key !== undefined && settings.auth === 'any')
    throw new UsageError(
      '--auth any and --forward-key exclude each other: anybody could use the key of the real service.',
    );
  const forwarded = new Set(
    names.flatMap((name) => findNamedOperations(document, name, '--forward-operations')),
  );
  if (forwarded.size === 0)
    throw new UsageError(
      "--forward needs --forward-operations, such as listPets,'GET /store/*'; '* *' names all.",
    );
  const isForwarded = (operation: Operation) => forwarded.has(operation);
  // Who has the service's key themselves is checked there.
  const checkCaller = key === undefined ? () => ({}) : withoutLimits;
  return {
    steps: [
      {
        phase: 'around credentials',
        order: 10,
        of: (operation) => (isForwarded(operation) ? checkCaller : undefined),
      },
      {
        phase: 'before input',
        order: 20,
        of: (operation, calls) =>
          isForwarded(operation) ? createForward(operation, { ...calls, target, key }) : undefined,
      },
    ],
  };
}

/** Refuses whom the twin would refuse, so that nobody else uses the key, and counts nothing. */
const withoutLimits: Step<'around credentials'> = (call, authenticate) => {
  const { key, ...refusal } = authenticate(call);
  return key ? {} : refusal;
};

import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { explainConnection } from '../../../common/cli/explain-connection.ts';
import { Beginning, openRequest } from '../../../common/http/forward.ts';
import { toExcerpt } from '../../../common/look/visible.ts';
import type { Operation } from '../../../openapi/index.ts';
import { isolationOf, toErrorAnswer } from '../../answers/answer.ts';
import type { CallOptions, Handle } from '../../call/steps.ts';
import { maxBody } from '../../journal/exchange.ts';
import type { Reason } from '../../journal/reason.ts';
import type { ByteText } from '../../json/exact-json.ts';
import { createReplaceKey, passedHeaders } from './forwarded-headers.ts';

export type ForwardOptions = Pick<CallOptions, 'document' | 'send' | 'record' | 'cors'> & {
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
export function createForward(operation: Operation, options: ForwardOptions): Handle {
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

import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { nodeHttp } from '../../common/node-http.ts';
import type { MessageClasses } from './express-apps.ts';

/** Sends a request, with the signature of Node's `fetch`. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Answers requests in this process, as a server does over a socket. */
export interface InProcess {
  /**
   * Rejects with a TypeError where a connection would break, and with the reason of the request's
   * signal when that aborts.
   */
  fetch: Fetch;
  /** Refuses new requests, and finishes those in flight within so many milliseconds. */
  close(longest: number): Promise<void>;
}

/** Answers with the handler of a server, and the classes of messages that it would use. */
export function createInProcess(handle: RequestListener, classes: MessageClasses): InProcess {
  const { IncomingMessage = nodeHttp.IncomingMessage, ServerResponse = nodeHttp.ServerResponse } =
    classes;
  const open = new Set<Connection>();
  let closing: (() => void) | undefined;
  const exchange = async (request: Request): Promise<Response> => {
    request.signal.throwIfAborted();
    const body = await readStart(request);
    request.signal.throwIfAborted();
    if (closing)
      throw failed({ code: 'ECONNREFUSED', message: 'the mock is closed' }, 'fetch failed');
    const connection = new Connection(request);
    open.add(connection);
    connection.once('close', () => {
      body.rest?.cancel().catch(() => {});
      open.delete(connection);
      if (open.size === 0) closing?.();
    });
    const headers = toHeaders(request, body);
    const { pathname, search } = new URL(request.url);
    const incoming = Object.assign(new IncomingMessage(connection as Duplex as Socket), {
      method: request.method,
      url: pathname + search,
      httpVersion: '1.1',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
      headers: Object.fromEntries(headers),
      rawHeaders: headers.flat(),
    });
    if (body.start?.length) incoming.push(body.start);
    const end = () => {
      incoming.complete = true;
      incoming.push(null);
    };
    const { rest } = body;
    let { next } = body;
    if (!rest) end();
    else
      incoming._read = (size) => {
        IncomingMessage.prototype._read.call(incoming, size);
        const read = next ?? rest.read();
        next = undefined;
        read.then(
          ({ value, done }) => (done ? end() : incoming.push(value)),
          (error) => connection.abort(error),
        );
      };
    const response = new ServerResponse(incoming);
    connection.carry(response);
    handle(incoming, response);
    return connection.answer;
  };
  return {
    fetch: async (input, init) =>
      follow(input instanceof Request && !init ? input : new Request(input, init), exchange),
    close: (longest) =>
      new Promise((resolve) => {
        closing = resolve;
        if (open.size === 0) return resolve();
        const destroyAll = () => {
          for (const connection of open) connection.destroy();
        };
        setTimeout(destroyAll, longest).unref();
      }),
  };
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * The body of a request: its start, which is all of it unless there is a rest, whose first part is
 * being read.
 */
type Body = { start?: Uint8Array; rest?: Reader; next?: ReturnType<Reader['read']> };

/**
 * Reads a body that is completely in memory, so that its length is known. Does not wait longer than
 * one turn of the event loop for the rest.
 */
async function readStart({ body, signal }: Request): Promise<Body> {
  if (!body) return {};
  const rest: Reader = body.getReader();
  signal.addEventListener('abort', () => void rest.cancel(signal.reason).catch(() => {}));
  const { value: start = new Uint8Array() } = await rest.read();
  const next = rest.read();
  const turn = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
  const isWhole = (await Promise.race([next, turn]))?.done;
  // Nobody may ask for it.
  next.catch(() => {});
  return isWhole ? { start } : { start, rest, next };
}

/** The headers as Node's `fetch` sends them, without those of a connection. */
function toHeaders({ headers, url }: Request, { start, rest }: Body): [string, string][] {
  const all = [...headers];
  const add = (name: string, value: string) => {
    if (!headers.has(name)) all.push([name, value]);
  };
  add('host', new URL(url).host);
  for (const [name, value] of ownHeaders) add(name, value);
  if (rest) add('transfer-encoding', 'chunked');
  else if (start) add('content-length', String(start.length));
  return all;
}

const ownHeaders = [
  ['accept', '*/*'],
  ['accept-language', '*'],
  ['sec-fetch-mode', 'cors'],
  ['user-agent', 'node'],
] as const;

/** The statuses that have no content (Fetch, null body status). */
const withoutContent: readonly number[] = [204, 205, 304];

/** Bounds the bytes of content that wait for a reader before the mock waits too. */
const highWaterMark = 1024 * 1024;

/** A connection of one request, whose answer becomes a Response instead of bytes on a wire. */
class Connection extends Duplex {
  readonly answer: Promise<Response>;
  /** Whether the request is for `https:`. */
  readonly encrypted: boolean;
  readonly #request: Request;
  readonly #settle: { resolve: (response: Response) => void; reject: (error: unknown) => void };
  #content: ReadableStreamDefaultController<Uint8Array> | undefined;
  #hasHead = false;
  #isBroken = false;
  #isOver = false;
  /** Lets the twin go on once a reader has room. */
  #goOn: (() => void) | undefined;
  #why: unknown;

  constructor(request: Request) {
    super();
    const { promise, ...settle } = Promise.withResolvers<Response>();
    this.answer = promise;
    this.encrypted = request.url.startsWith('https:');
    this.#request = request;
    this.#settle = settle;
    const { signal } = request;
    const abort = () => this.abort(signal.reason);
    signal.addEventListener('abort', abort);
    this.once('close', () => signal.removeEventListener('abort', abort));
  }

  /** Takes the response whose bytes it gets: its length or its end bound it, never chunks. */
  carry(response: ServerResponse): void {
    response.useChunkedEncodingByDefault = false;
    response.shouldKeepAlive = false;
    response.assignSocket(this as Duplex as Socket);
    // The server of Node passes this on, without which what is piped would wait for ever.
    this.on('drain', () => response.emit('drain'));
    response.once('finish', () => {
      this.#isOver = true;
      this.#content?.close();
      this.destroy();
    });
  }

  /** The client is gone. */
  abort(reason: unknown): void {
    this.#why = reason;
    this.destroy();
  }

  resetAndDestroy(): void {
    this.abort(failed({ code: 'ECONNRESET', message: 'read ECONNRESET' }, 'fetch failed'));
  }

  destroySoon(): void {
    this.end();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#hasHead) this.#pass(chunk, done);
    else if (/^HTTP\/1\.1 1\d\d /.test(chunk.toString('latin1', 0, 12))) done();
    else this.#begin(chunk, done);
  }

  override _final(done: () => void): void {
    done();
    this.destroy();
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.#hasHead) this.#settle.reject(this.#why ?? failed(otherSideClosed, 'fetch failed'));
    else if (!this.#isOver)
      this.#content?.error(this.#why ?? failed(otherSideClosed, 'terminated'));
    this.#goOn?.();
    done();
  }

  /** Makes the Response of a head, and of the content that comes with it or follows. */
  #begin(chunk: Buffer, done: () => void): void {
    const end = chunk.indexOf('\r\n\r\n');
    const [line = '', ...fields] = chunk.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
    const [, code, statusText = ''] = /^HTTP\/1\.1 (\d{3}) ?(.*)$/.exec(line) ?? [];
    if (code === undefined) {
      this.abort(failed(noHttp, 'fetch failed'));
      return;
    }
    const status = Number(code);
    // As pairs: a Response would copy an object of Headers.
    const headers: [string, string][] = [];
    let length: string | undefined;
    for (const field of fields) {
      const colon = field.indexOf(':');
      const [name, value] = [field.slice(0, colon), field.slice(colon + 1).trim()];
      const lower = name.toLowerCase();
      if (lower === 'content-length') length = value;
      if (lower === 'transfer-encoding') this.#isBroken = true;
      if (lower !== 'connection') headers.push([name, value]);
    }
    this.#hasHead = true;
    const { method, url } = this.#request;
    const hasNone = method === 'HEAD' || withoutContent.includes(status);
    const rest = chunk.subarray(end + 4);
    const isWhole = length === String(rest.length);
    const content = hasNone ? null : isWhole ? rest : this.#openContent();
    const response = new Response(content, { status, statusText, headers });
    this.#settle.resolve(Object.defineProperty(response, 'url', { value: url.split('#', 1)[0] }));
    if (this.#content && rest.length > 0) this.#pass(rest, done);
    else done();
  }

  #openContent(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (content) => {
          this.#content = content;
        },
        pull: () => {
          this.#goOn?.();
          this.#goOn = undefined;
        },
        cancel: () => {
          this.#isOver = true;
          this.destroy();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark }),
    );
  }

  #pass(chunk: Buffer, done: () => void): void {
    // Only a fault says that chunks follow, and sends none.
    if (this.#isBroken) this.abort(failed(noHttp, 'terminated'));
    else this.#content?.enqueue(chunk);
    if (!this.#content || (this.#content.desiredSize ?? 0) > 0) done();
    else this.#goOn = done;
  }
}

const otherSideClosed = { code: 'UND_ERR_SOCKET', message: 'other side closed' };
const noHttp = { code: 'HPE_INVALID_CONSTANT', message: 'the answer is no HTTP' };

/** The error of a `fetch` that fails, as Node has it. */
function failed({ code, message }: { code: string; message: string }, what: string): TypeError {
  return new TypeError(what, { cause: Object.assign(new Error(message), { code }) });
}

const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** Follows redirects as the request says: to another origin over the network. */
async function follow(
  request: Request,
  exchange: (request: Request) => Promise<Response>,
): Promise<Response> {
  let current = request;
  for (let count = 0; count <= maxRedirects; count++) {
    const response = await exchange(current);
    const location = response.headers.get('location');
    const isRedirect = redirects.includes(response.status) && location !== null;
    if (!isRedirect || request.redirect === 'manual')
      return count > 0 ? Object.defineProperty(response, 'redirected', { value: true }) : response;
    if (request.redirect === 'error') throw failed(unexpectedRedirect, 'fetch failed');
    current = toNext(current, new URL(location, current.url), response.status);
    if (new URL(current.url).origin !== new URL(request.url).origin) return fetch(current);
  }
  throw failed({ ...unexpectedRedirect, message: 'redirect count exceeded' }, 'fetch failed');
}

const maxRedirects = 20;
const unexpectedRedirect = { code: 'ERR_REDIRECT', message: 'unexpected redirect' };

/** The request that follows a redirect (Fetch, HTTP-redirect fetch); a body is not sent again. */
function toNext(request: Request, url: URL, status: number): Request {
  const { method, signal, body } = request;
  const isGet = status === 303 || (status < 303 && method === 'POST');
  if (body && !isGet)
    throw failed({ ...unexpectedRedirect, message: 'the body was read already' }, 'fetch failed');
  const headers = new Headers(request.headers);
  if (body) for (const name of ['content-type', 'content-length']) headers.delete(name);
  if (url.origin !== new URL(request.url).origin)
    for (const name of ['authorization', 'cookie', 'host']) headers.delete(name);
  return new Request(url, { method: isGet && method !== 'HEAD' ? 'GET' : method, headers, signal });
}

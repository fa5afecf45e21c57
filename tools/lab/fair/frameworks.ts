import { createHash } from 'node:crypto';
import type { Mutate } from '../deployment.ts';
import { toJson } from '../exact.ts';
import { type Entries, family } from '../row.ts';
import type { Answer, Call } from '../shop.ts';

/** The built-in behaviour of a framework, around handlers that conform to the interface. */
type Framework = {
  /** On every answer of an operation. */
  headers?: Record<string, string> | ((content: string) => Record<string, string>);
  /** How a header is written. */
  headerName?: (name: string) => string;
  /** How a body is written. */
  write?: (body: unknown) => string;
  unknownPath: (call: Call) => Answer;
  otherMethod: (call: Call) => Answer;
  /**
   * A body of another media type, and a query or an id that does not parse: the interface states no
   * answer.
   */
  notParsed?: {
    status: number;
    mediaType: number;
    body: (status: number) => unknown;
    type: string;
  };
  /** HEAD has no route of its own. */
  refusesHead?: boolean;
  /** A path that ends in a slash is the same as the one without. */
  ignoresSlash?: boolean;
  /** Answers have no Content-Length. */
  chunked?: boolean;
  /** Answers have a status without a phrase. */
  noPhrase?: boolean;
};

function page(status: number, content: string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
    text: content,
  };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body };
}

function problem(status: number, title: string, headers: Record<string, string> = {}): Answer {
  const type = `https://tools.ietf.org/html/rfc9110#section-15.5.${status - 399}`;
  return json(
    status,
    { type, title, status: BigInt(status) },
    { ...headers, 'Content-Type': 'application/problem+json' },
  );
}

const isIdNumber = (id = '') => /^-?\d{1,18}$/.test(id);

function framework(own: Framework): Mutate {
  const { write = toJson, headerName = (name: string) => name, notParsed } = own;
  return (truth) => {
    const answerOperation = (call: Call, answer: Answer): Answer => {
      const isUnparsed =
        call.operation === 'listPets'
          ? answer.status === 400
          : answer.status === 404 && !isIdNumber(call.petId);
      const status =
        notParsed &&
        (answer.status === 415 ? notParsed.mediaType : isUnparsed ? notParsed.status : undefined);
      const headers = status
        ? { ...answer.headers, 'Content-Type': notParsed?.type ?? '' }
        : answer.headers;
      const changed = status ? { status, headers, body: notParsed?.body(status) } : answer;
      const isRefused = own.refusesHead && call.method === 'HEAD';
      return isRefused
        ? { ...changed, status: 405, headers: { ...headers, Allow: 'GET, POST' } }
        : changed;
    };
    return {
      answer: (call, answer) => {
        const tolerated =
          own.ignoresSlash &&
          call.method === 'GET' &&
          call.path === '/pets/' &&
          truth.authenticate(call);
        if (tolerated)
          return {
            ...answer,
            status: 200,
            body: truth.list({ limit: 20, status: undefined }, call),
          };
        if (call.operation) return answerOperation(call, answer);
        return answer.status === 405 ? own.otherMethod(call) : own.unknownPath(call);
      },
      send: (call, answer, response) => {
        const content = answer.text ?? (answer.body === undefined ? '' : write(answer.body));
        const more = typeof own.headers === 'function' ? own.headers(content) : own.headers;
        const length = own.chunked
          ? undefined
          : { 'Content-Length': String(Buffer.byteLength(content)) };
        const headers = { ...answer.headers, ...(call.operation && more), ...length };
        const written = Object.entries(headers).map(([name, value]) => [headerName(name), value]);
        if (own.noPhrase) response.statusMessage = '';
        response.writeHead(answer.status, Object.fromEntries(written));
        response.end(call.method === 'HEAD' ? undefined : content);
        return true;
      },
    };
  };
}

const lowerCase = (name: string) => name.toLowerCase();

/** As Go writes every header: a capital after each hyphen only. */
const canonical = (name: string) =>
  lowerCase(name).replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());

const escaped = (pattern: RegExp, toCase: (digits: string) => string) => (body: unknown) =>
  toJson(body).replace(
    pattern,
    (unit) => `\\u${toCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`,
  );

const weakETag = (content: string) =>
  `W/"${createHash('sha1').update(content).digest('base64url')}"`;

const entries: Entries = {
  'fair-like-express': {
    about:
      'unknown paths and methods get an HTML page with 404, answers have a weak ETag, a slash at the end does not matter',
    mutate: framework({
      headers: (content) => ({
        'X-Powered-By': 'Express',
        'Content-Type': 'application/json; charset=utf-8',
        ETag: weakETag(content),
      }),
      unknownPath: ({ path }) =>
        page(404, `<!DOCTYPE html>\n<html lang="en">\n<pre>Cannot GET ${path}</pre>\n</html>\n`, {
          'Content-Security-Policy': "default-src 'none'",
        }),
      otherMethod: ({ method, path }) => page(404, `<pre>Cannot ${method} ${path}</pre>`),
      ignoresSlash: true,
    }),
  },
  'fair-like-fastify': {
    about:
      'unknown paths and methods get a JSON object that is not an Error, header names are in lower case, another media type gets 415',
    mutate: framework({
      headers: { 'content-type': 'application/json; charset=utf-8', 'keep-alive': 'timeout=72' },
      headerName: lowerCase,
      unknownPath: ({ method, path }) =>
        json(404, {
          message: `Route ${method}:${path} not found`,
          error: 'Not Found',
          statusCode: 404n,
        }),
      otherMethod: ({ method, path }) =>
        json(404, {
          message: `Route ${method}:${path} not found`,
          error: 'Not Found',
          statusCode: 404n,
        }),
      notParsed: {
        status: 400,
        mediaType: 415,
        type: 'application/json; charset=utf-8',
        body: (status) => ({
          statusCode: BigInt(status),
          code: 'FST_ERR_VALIDATION',
          error: 'Refused',
          message: 'must be integer',
        }),
      },
    }),
  },
  'fair-like-spring': {
    about:
      'unknown paths, methods and unread ids get problem+json, answers are chunked with security headers and no phrase',
    mutate: framework({
      headers: {
        Vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
        'X-Content-Type-Options': 'nosniff',
        'X-XSS-Protection': '0',
        'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
        Pragma: 'no-cache',
        Expires: '0',
        'X-Frame-Options': 'DENY',
      },
      unknownPath: () => problem(404, 'Not Found'),
      otherMethod: () => problem(405, 'Method Not Allowed', { Allow: 'GET, POST' }),
      notParsed: {
        status: 400,
        mediaType: 415,
        type: 'application/problem+json',
        body: (status) => ({
          type: 'about:blank',
          title: 'Bad Request',
          status: BigInt(status),
          instance: '/v1/pets',
        }),
      },
      chunked: true,
      noPhrase: true,
    }),
  },
  'fair-like-django': {
    about:
      'unknown paths get a redirect to themselves with a slash, other methods a detail with 405; each answer closes its connection',
    mutate: framework({
      headers: {
        Connection: 'close',
        Vary: 'Accept, origin',
        Allow: 'GET, POST, HEAD, OPTIONS',
        'X-Frame-Options': 'DENY',
        'Referrer-Policy': 'same-origin',
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
      unknownPath: ({ path }) =>
        path.endsWith('/')
          ? page(
              404,
              '<h1>Not Found</h1><p>The requested resource was not found on this server.</p>',
            )
          : {
              status: 301,
              headers: { Location: `/v1${path}/`, 'Content-Type': 'text/html; charset=utf-8' },
            },
      otherMethod: ({ method }) =>
        json(
          405,
          { detail: `Method "${method}" not allowed.` },
          { Allow: 'GET, POST, HEAD, OPTIONS' },
        ),
      notParsed: {
        status: 400,
        mediaType: 415,
        type: 'application/json',
        body: () => ({ detail: 'Unsupported media type.' }),
      },
    }),
  },
  'fair-like-rails': {
    about:
      'unknown paths and methods get a page with 404, JSON escapes markup, answers have an ETag and their time',
    mutate: framework({
      headers: (content) => ({
        'content-type': 'application/json; charset=utf-8',
        etag: weakETag(content),
        'cache-control': 'max-age=0, private, must-revalidate',
        'x-request-id': '5f0c8d2e-1c7b-4a53-9d0f-0d6a5a1c2b3e',
        'x-runtime': '0.004217',
        vary: 'Accept',
      }),
      headerName: lowerCase,
      write: escaped(/[<>&\u2028\u2029]/g, lowerCase),
      unknownPath: () =>
        page(404, '<!doctype html><h1>The page you were looking for does not exist.</h1>'),
      otherMethod: () =>
        page(404, '<!doctype html><h1>The page you were looking for does not exist.</h1>'),
    }),
  },
  'fair-like-aspnet': {
    about:
      'unknown paths get an empty 404, other methods and HEAD an empty 405, JSON escapes all but ASCII, answers are chunked',
    mutate: framework({
      headers: { 'Content-Type': 'application/json; charset=utf-8', Server: 'Kestrel' },
      write: escaped(/[<>&'+\u007f-\uffff]/g, (digits) => digits.toUpperCase()),
      unknownPath: () => ({ status: 404, headers: {}, text: '' }),
      otherMethod: () => ({ status: 405, headers: { Allow: 'GET, POST' }, text: '' }),
      notParsed: {
        status: 400,
        mediaType: 415,
        type: 'application/problem+json; charset=utf-8',
        body: (status) => ({
          title: 'One or more validation errors occurred.',
          status: BigInt(status),
          traceId: '00-4bf9-00',
        }),
      },
      refusesHead: true,
      ignoresSlash: true,
      chunked: true,
    }),
  },
  'fair-like-go': {
    about:
      'unknown paths and methods get plain text, headers are X-Ratelimit-Limit, JSON escapes markup and ends with a line feed',
    mutate: framework({
      headerName: canonical,
      write: (body) => `${escaped(/[<>&\u2028\u2029]/g, lowerCase)(body)}\n`,
      unknownPath: () => ({
        status: 404,
        headers: {
          'Content-Type': 'text/plain; charset=utf-8',
          'X-Content-Type-Options': 'nosniff',
        },
        text: '404 page not found\n',
      }),
      otherMethod: () => ({
        status: 405,
        headers: { 'Content-Type': 'text/plain; charset=utf-8', Allow: 'GET, HEAD, POST' },
        text: 'Method Not Allowed\n',
      }),
    }),
  },
  'fair-like-fastapi': {
    about:
      'unknown paths and methods get a detail, what does not parse gets 422, HEAD gets 405, header names are in lower case',
    mutate: framework({
      headers: { server: 'uvicorn' },
      headerName: lowerCase,
      unknownPath: () => json(404, { detail: 'Not Found' }),
      otherMethod: () => json(405, { detail: 'Method Not Allowed' }, { allow: 'GET' }),
      notParsed: {
        status: 422,
        mediaType: 422,
        type: 'application/json',
        body: () => ({
          detail: [
            { type: 'int_parsing', loc: ['path', 'petId'], msg: 'Input should be a valid integer' },
          ],
        }),
      },
      refusesHead: true,
    }),
  },
  'fair-like-laravel': {
    about:
      'unknown paths and methods get a page, JSON escapes slashes and all but ASCII, answers set cookies',
    mutate: framework({
      headers: {
        'X-Powered-By': 'PHP/8.3.6',
        'Cache-Control': 'no-cache, private',
        'Access-Control-Allow-Origin': '*',
        'Set-Cookie': 'session=eyJpdiI6; path=/; httponly; samesite=lax',
      },
      write: (body) => escaped(/[\u007f-\uffff]/g, lowerCase)(body).replaceAll('/', '\\/'),
      unknownPath: () => page(404, '<!DOCTYPE html><title>Not Found</title>'),
      otherMethod: () =>
        page(405, '<!DOCTYPE html><title>Method Not Allowed</title>', { Allow: 'GET, HEAD, POST' }),
      notParsed: {
        status: 422,
        mediaType: 415,
        type: 'application/json',
        body: () => ({ message: 'The limit field must be an integer.' }),
      },
    }),
  },
};

export const frameworkRows = family('fair-frameworks', '§4', entries);

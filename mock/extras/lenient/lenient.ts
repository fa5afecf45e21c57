import type { Express } from 'express';
import { toExcerpt } from '../../../common/look/visible.ts';
import type { Api } from '../../../openapi/index.ts';
import { createIsDescribedPath } from '../../http/express-path.ts';
import { type Locals, localsOf, tolerate } from '../../http/locals.ts';
import { collectBytes } from '../../http/read-body.ts';
import { createLenientBody } from './lenient-body.ts';

/** Returns the parts that tolerate deviations in requests, as most servers do. */
export function toLenientParts(document: Api) {
  return {
    mountInFront: (app: Express) => mountFormsOfQueries(app, document),
    mountBehind: (app: Express) => mountLenientPaths(app, document),
    steps: [{ phase: 'around body' as const, order: 10, of: createLenientBody }],
    values: () => ({ onUnacceptable: noteUnacceptable }),
  };
}

/**
 * Notes that the answer has the default media type, as Accept allows none that is described. A
 * vendor's type of JSON is JSON.
 */
function noteUnacceptable({ request, response }: Locals): void {
  const { accept = '' } = request.headers;
  if (!/\+json\b/.test(accept))
    tolerate(response, `Accept allows no media type of the response: ${toExcerpt(accept, 100)}.`);
}

/** The greatest form that is read as a query, in bytes. */
const maxForm = 64 * 1024;

/** Reads a form that is sent by POST, to a path with a GET and no POST, as the query of the GET. */
function mountFormsOfQueries(app: Express, document: Api): void {
  const [isRead, isSentTo] = ['GET', 'POST'].map((method) =>
    createIsDescribedPath({
      ...document,
      operations: document.operations.filter((one) => one.method === method),
    }),
  ) as [(path: string) => boolean, (path: string) => boolean];
  const isForm = (type = '') => /^application\/x-www-form-urlencoded\b/i.test(type);
  app.use(async (request, response, next) => {
    const { method, path, headers } = request;
    if (method !== 'POST' || !isForm(headers['content-type'])) return next();
    if (!isRead(path) || isSentTo(path)) return next();
    const { bytes } = await collectBytes(request, maxForm);
    if (!bytes) return next();
    tolerate(response, 'The form of the POST is read as the query of a GET.');
    localsOf(response).received = bytes;
    request.method = 'GET';
    request.url += `${request.url.includes('?') ? '&' : '?'}${bytes.toString()}`;
    next();
  });
}

/** Finds the operation at a path that differs in slashes or percent-encodings, behind all others. */
function mountLenientPaths(app: Express, document: Api): void {
  const isDescribed = createIsDescribedPath(document);
  app.use((request, response, next) => {
    if (request.path.startsWith('/__')) return next();
    const path = similarTo(request.path).find(isDescribed);
    if (path === undefined || path === request.path) return next();
    tolerate(response, `The path is read as ${toExcerpt(path, 200)}.`);
    request.url = localsOf(response).prefix + path + request.url.slice(request.path.length);
    app(request, response);
  });
}

/** A path without doubled slashes and needless encodings (RFC 3986 §6.2.2), its last slash or not. */
function similarTo(path: string): string[] {
  const plain = path.replace(/\/{2,}/g, '/').replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return /[\w!$&'()*+,;=:@.~-]/.test(character) ? character : code.toUpperCase();
  });
  return [plain, plain.endsWith('/') ? plain.slice(0, -1) : `${plain}/`];
}

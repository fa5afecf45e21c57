import type { Express } from 'express';
import { toExcerpt } from '../../../common/look/visible.ts';
import type { Api } from '../../../openapi/index.ts';
import { createIsDescribedPath } from '../../http/express-path.ts';
import { localsOf, tolerate } from '../../http/locals.ts';

/** Finds the operation at a path that differs in slashes or percent-encodings, behind all others. */
export function mountLenientPaths(app: Express, document: Api): void {
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

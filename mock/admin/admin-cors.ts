import type { RequestHandler } from 'express';
import { askedHeaders } from '../http/cors.ts';
import { sendNoContent } from '../http/send-answer.ts';

/** What a page may read of an answer besides its content. */
const exposed = 'Allow, Location, Retry-After, WWW-Authenticate';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const defaultRequestHeaders = 'Authorization, Content-Type, X-Sandbox, Last-Event-ID';

/**
 * Makes the step that lets pages of these origins, and of no other, read the answers of the admin,
 * and that answers the preflights of their browsers (Fetch standard, HTTP-CORS protocol).
 */
export function createAdminCors(origins: ReadonlySet<string>): RequestHandler {
  return (request, response, next) => {
    // Whoever sends what follows adds its headers to these.
    response.setHeader('Vary', 'Origin');
    const { origin, 'access-control-request-method': method } = request.headers;
    if (origin === undefined || !origins.has(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    if (request.method !== 'OPTIONS' || method === undefined) return next();
    const asked = askedHeaders(request.headers['access-control-request-headers']);
    sendNoContent(response, [
      'Access-Control-Allow-Methods',
      methods,
      'Access-Control-Allow-Headers',
      asked ?? defaultRequestHeaders,
      'Access-Control-Max-Age',
      '600',
      'Vary',
      'Origin, Access-Control-Request-Headers',
      'Cache-Control',
      'no-store',
    ]);
  };
}

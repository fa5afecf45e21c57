import type { RequestHandler } from 'express';
import { toErrorAnswer } from '../../answers/answer.ts';
import { bearerToken, isSameSecret } from '../../http/authenticate.ts';
import { askedHeaders } from '../../http/cors.ts';
import { isForeign, isSentByMock } from '../../http/guard-request.ts';
import { sendAnswer, sendNoContent } from '../../http/send-answer.ts';

/** The header that every admin response carries. */
export const headers = ['Cache-Control', 'no-store'];

/**
 * Creates the middleware that admits calls. It refuses pages of another origin, and calls that a
 * mock sends, as API clients may choose their target. Off loopback, a call needs the token.
 */
export function createGuard(
  { loopback, token }: { loopback: boolean; token?: string },
  origins: ReadonlySet<string>,
): RequestHandler {
  const off = toErrorAnswer(
    'admin_forbidden',
    'The admin is off because the mock listens beyond loopback. Start it with --admin-token TOKEN.',
  );
  const wrong = toErrorAnswer(
    'invalid_api_key',
    'The admin needs its token. Send it as "Authorization: Bearer <token>".',
    {
      'WWW-Authenticate': 'Bearer realm="admin"',
    },
  );
  const foreign = toErrorAnswer(
    'admin_forbidden',
    'The admin cannot be called by a page of another origin. If the page is yours, start the mock with --admin-origins ORIGIN.',
  );
  const own = toErrorAnswer('admin_forbidden', 'Webhooks of a twin cannot call its admin.');
  return (request, response, next) => {
    if (isSentByMock(request)) return sendAnswer(response, own, headers);
    if (isForeign(request, origins)) return sendAnswer(response, foreign, headers);
    if (token === undefined) return loopback ? next() : sendAnswer(response, off, headers);
    const sent = bearerToken(request.headers.authorization ?? '');
    if (sent !== undefined && isSameSecret(token, sent)) next();
    else sendAnswer(response, wrong, headers);
  };
}

/** The response headers that a page of another origin may read. */
const exposed = 'Allow, Location, Retry-After, WWW-Authenticate';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';

const defaultRequestHeaders = 'Authorization, Content-Type, X-Sandbox';

/**
 * Creates the middleware that lets pages of these origins only read the admin's responses. The
 * middleware also answers the preflights of browsers (Fetch standard, HTTP-CORS protocol).
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

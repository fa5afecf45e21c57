import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import { type Answer, sendAnswer, sendNoContent, toErrorAnswer } from '../http/answer.ts';
import { bearerToken, isSameSecret } from '../http/authenticate.ts';
import { createReadBody } from '../http/read-body.ts';
import { type ClockControl, createClockControl } from './clock-control.ts';
import { guardOrigin } from './guard-origin.ts';
import { type AdminDeps, toLimits } from './limits-view.ts';

export type AdminOptions = AdminDeps & {
  /** Whether the server listens on loopback alone. */
  loopback: boolean;
  token?: string;
  isReady: () => boolean;
  /** Brings data, counters, bans and clock back to the start. */
  reset: () => Promise<void>;
  /** The answer to what a step throws. */
  toAnswer: (error: unknown) => Answer;
};

type AdminRoute = { method: 'get' | 'post' | 'put'; path: string; open?: true; run: (body: unknown) => Answer | Promise<Answer> };

const headers = ['Cache-Control', 'no-store'];

/**
 * Puts the control of the twin under `/__admin`. A page of another origin cannot use it; off loopback it needs the token,
 * and without one all of it but the health is off.
 */
export function mountAdmin(app: Express, options: AdminOptions): void {
  const routes = adminRoutes(options);
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path);
    const allow = [
      ...here.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
      'OPTIONS',
    ].join(', ');
    const route = app.route(path);
    route.options((_, response) => sendNoContent(response, [...headers, 'Allow', allow]));
    for (const { method, open, run } of here) route[method](...(open ? [] : [guard(options)]), ...steps(method, run));
    route.all(guard(options), (request, response) =>
      sendAnswer(
        response,
        toErrorAnswer('method_not_allowed', `${request.method} is not possible here. Use ${allow}.`, { Allow: allow }),
        headers,
      ),
    );
  }
  app.use('/__admin', guard(options), (_, response) => {
    const paths = [...new Set(routes.map(({ path }) => path))].join(', ');
    sendAnswer(response, toErrorAnswer('unknown_path', `The admin has no such path. It has ${paths}.`), headers);
  });
  const fail: ErrorRequestHandler = (error, _request, response, _next) => sendAnswer(response, options.toAnswer(error), headers);
  app.use('/__admin', fail);
}

function adminRoutes({ isReady, reset, clock, ...deps }: AdminOptions): AdminRoute[] {
  const control: ClockControl = createClockControl(clock);
  const notReady = toErrorAnswer('starting_or_stopping', 'The twin is not ready. Ask again.', { 'Retry-After': '1' });
  return [
    { method: 'get', path: '/__admin/health', open: true, run: () => (isReady() ? ok({ status: 'ready' }) : notReady) },
    { method: 'post', path: '/__admin/reset', run: async () => reset().then(() => ok({ status: 'reset' })) },
    { method: 'get', path: '/__admin/clock', run: () => ok(control.read()) },
    { method: 'put', path: '/__admin/clock', run: (body) => control.change(body) },
    { method: 'get', path: '/__admin/limits', run: () => ok(toLimits({ clock, ...deps })) },
  ];
}

function ok(value: unknown): Answer {
  return { status: 200, json: JSON.stringify(value) };
}

function steps(method: AdminRoute['method'], run: AdminRoute['run']): RequestHandler[] {
  const answer: RequestHandler = async (request, response) => sendAnswer(response, await run(request.body), headers);
  return method === 'get' ? [answer] : [bodyStep(), answer];
}

function bodyStep(): RequestHandler {
  const readBody = createReadBody({}, () => undefined);
  return async (request, response, next) => {
    const { body, refusal } = await readBody(request, response);
    if (refusal) return sendAnswer(response, refusal, headers);
    request.body = body;
    next();
  };
}

function guard({ loopback, token }: AdminOptions): RequestHandler {
  const off = toErrorAnswer(
    'admin_forbidden',
    'The admin is off, as the twin listens beyond loopback. Start it with --admin-token TOKEN.',
  );
  const wrong = toErrorAnswer('invalid_api_key', 'The admin needs its token. Send it as "Authorization: Bearer <token>".', {
    'WWW-Authenticate': 'Bearer realm="admin"',
  });
  return (request, response, next) => {
    const refusal = guardOrigin(request);
    if (refusal) return sendAnswer(response, refusal, headers);
    if (token === undefined) return loopback ? next() : sendAnswer(response, off, headers);
    const sent = bearerToken(request.headers.authorization ?? '');
    if (sent !== undefined && isSameSecret(token, sent)) next();
    else sendAnswer(response, wrong, headers);
  };
}

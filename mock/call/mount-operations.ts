import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import {
  allowedMethods,
  createFindElsewhere,
  isUndecodable,
  toExpressPath,
  toMethodAnswer,
  toRoutes,
  undecodable,
} from '../http/express-path.ts';
import { localsOf } from '../http/locals.ts';
import { sendNoContent } from '../http/send-answer.ts';
import type { CallOptions, Handle } from './steps.ts';
import { admitElsewhere, createHandle } from './steps.ts';

/** Puts the operations of the document on an Express app, each as the steps of its calls. */
export function mountOperations(app: Express, options: CallOptions): void {
  const { document, send } = options;
  const sendOptions = createSendOptions(options);
  const findElsewhere = createFindElsewhere(document);
  if (findElsewhere)
    app.use((request, _response, next) => {
      const path = findElsewhere(request.path);
      if (path !== undefined) request.url = path + request.url.slice(request.path.length);
      next();
    });
  for (const operations of toRoutes(document.operations)) {
    const allow = allowedMethods(operations);
    const byPath = [...Map.groupBy(operations, ({ path }) => path)];
    for (const [index, [path, ofPath]] of byPath.entries()) {
      const route = app.route(toExpressPath(document.basePath + path));
      const isDescribed = ofPath.some(({ method }) => method === 'OPTIONS');
      route.options((request, response, next) => {
        const isPreflight = request.headers['access-control-request-method'] !== undefined;
        if (isDescribed && !isPreflight) next();
        else sendOptions(request, response, allow);
      });
      for (const operation of ofPath)
        route[operation.method.toLowerCase() as 'get'](
          lateHandle(() => createHandle(operation, options)),
        );
      // Until then, the method may be one of the same path with other names.
      if (index === byPath.length - 1)
        route.all(
          lateHandle(() => {
            const admit = admitElsewhere(operations, options);
            const refuse: Handle = ({ request, response }) =>
              send(response, toMethodAnswer(request, allow), { step: 'routing' });
            return (call) => admit(call, refuse);
          }),
        );
    }
  }
}

/**
 * Creates what handles calls at the first one: of the operations of a large document, few are ever
 * called. Express handles what is thrown.
 */
function lateHandle(create: () => Handle): RequestHandler {
  let handle: Handle | undefined;
  return (_request, response) => {
    handle ??= create();
    return handle(localsOf(response)) as Promise<void>;
  };
}

/**
 * Puts what is asked of no operation on an Express app: unknown paths of the API ask for
 * credentials too. Mounted behind all that has a path of its own, as the API may have no base path.
 */
export function mountUnknownPaths(app: Express, options: CallOptions): void {
  const { document, send } = options;
  const sendOptions = createSendOptions(options);
  const admit = admitElsewhere(document.operations, options);
  const base = toExpressPath(document.basePath) || '/';
  app.use(base, (request, response, next) => {
    if (request.method === 'OPTIONS') return sendOptions(request, response, []);
    return admit(localsOf(response), () => next()) as Promise<void>;
  });
  app.use(base, ((error, _request, response, next) => {
    if (!isUndecodable(error)) return next(error);
    return admit(localsOf(response), () => send(response, undecodable, { step: 'routing' }));
  }) satisfies ErrorRequestHandler);
  app.use((request, response, next) => {
    if (request.url === '*') sendOptions(request, response, allowedMethods(document.operations));
    else next();
  });
}

function createSendOptions({ cors, toLimitHeaders, record }: CallOptions) {
  return (request: Request, response: Response, allow: readonly string[]): void => {
    const fields = [
      ...toLimitHeaders(localsOf(response).sandbox, undefined),
      ...cors.optionsHeaders(request, allow),
    ];
    record(response, { step: 'options' }, sendNoContent(response, fields));
  };
}

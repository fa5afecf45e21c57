import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Express } from 'express';

/** Of which classes a server has to make its requests and responses. */
export type MessageClasses = Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;

/** Makes Express apps, one after another, for one server. */
export interface ExpressApps {
  create(): Express;
  readonly classes: MessageClasses;
}

/**
 * An app of Express gives each request and response its own prototypes, which takes V8 longer than
 * any step of the twin. With these classes they have them from the beginning, and those of all apps
 * are the same.
 */
export function createExpressApps(): ExpressApps {
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, express.request);
  Object.setPrototypeOf(Response.prototype, express.response);
  return {
    create() {
      const app = express();
      app.disable('x-powered-by').disable('etag').set('query parser', false);
      app.enable('case sensitive routing').enable('strict routing');
      // They refer to the latest app, though one before may answer; all have the same settings.
      const request = Object.assign(Request.prototype, { app });
      const response = Object.assign(Response.prototype, { app });
      return Object.assign(app, { request, response });
    },
    classes: { IncomingMessage: Request, ServerResponse: Response as typeof ServerResponse },
  };
}

import type { Express, Request, Response } from 'express';
import { toErrorAnswer } from '../answers/answer.ts';
import { localsOf } from '../http/locals.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { type Asset, createReadAsset } from './assets.ts';
import { createReadDocs } from './docs.ts';
import { pageHeaders } from './page.ts';
import { type StartPageOptions, toStartPage } from './start-page.ts';

const allow = { Allow: 'GET, HEAD' };

/**
 * Puts the pages that browsers show, and the files that they load, on an Express app. Mounted behind
 * the API, so that a call of it never meets them.
 */
export function mountPages(app: Express, options: StartPageOptions): void {
  app.get('/', async (request, response, next) => {
    if (!wantsPage(request)) return next();
    const { sandbox, prefix } = localsOf(response);
    sendAnswer(response, await toStartPage(request, { ...options, sandbox, prefix }), []);
  });
  mountFiles(app, '/__pages', createReadAsset());
  app.use('/__docs', (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?');
    if (path.endsWith('/__docs')) sendAnswer(response, toFolder('__docs/'), []);
    else next();
  });
  const readDocs = createReadDocs(options.served.document);
  mountFiles(app, '/__docs', (path, response) =>
    readDocs(path, localsOf(response).sandbox.clock.now()),
  );
}

type ReadFile = (path: string, response: Response) => Asset | undefined;

function mountFiles(app: Express, place: string, read: ReadFile): void {
  app.use(place, (request: Request, response: Response) => {
    const { method, path } = request;
    const file = read(path.slice(1), response);
    const answer = !file
      ? toErrorAnswer('unknown_path', `No page has a file at ${path.slice(0, 200)}.`)
      : method === 'GET' || method === 'HEAD'
        ? { status: 200, ...file, headers: pageHeaders }
        : toErrorAnswer(
            'method_not_allowed',
            `${method} is not allowed here. Use GET, HEAD.`,
            allow,
          );
    sendAnswer(response, answer, []);
  });
}

/** Leads to a folder, by a way that holds behind any path of a proxy. */
function toFolder(way: string) {
  const headers = { ...pageHeaders, Location: way };
  return { status: 302, text: `See ${way}\n`, mediaType: 'text/plain; charset=utf-8', headers };
}

/** Whether whoever asks is a browser that opens a page. */
function wantsPage(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

import type { Express, Request, Response } from 'express';
import { toErrorAnswer } from '../answers/answer.ts';
import { localsOf } from '../http/locals.ts';
import { sendAnswer } from '../http/send-answer.ts';
import { createReadAsset } from './assets.ts';
import { pageHeaders } from './page.ts';
import { type StartPageOptions, toStartPage } from './start-page.ts';

const allow = { Allow: 'GET, HEAD' };

/**
 * Puts the pages that browsers show, and the files that they load, on an Express app. Mounted behind
 * the API, so that a call of it never meets them.
 */
export function mountPages(app: Express, options: StartPageOptions): void {
  const readAsset = createReadAsset();
  app.get('/', async (request, response, next) => {
    if (!wantsPage(request)) return next();
    const { sandbox, prefix } = localsOf(response);
    sendAnswer(response, await toStartPage(request, { ...options, sandbox, prefix }), []);
  });
  app.use('/__pages', (request: Request, response: Response) => {
    const { method, path } = request;
    const asset = readAsset(path.slice(1));
    const answer = !asset
      ? toErrorAnswer('unknown_path', `No page has a file at ${path.slice(0, 200)}.`)
      : method === 'GET' || method === 'HEAD'
        ? { status: 200, ...asset, headers: pageHeaders }
        : toErrorAnswer(
            'method_not_allowed',
            `${method} is not allowed here. Use GET, HEAD.`,
            allow,
          );
    sendAnswer(response, answer, []);
  });
}

/** Whether whoever asks is a browser that opens a page. */
function wantsPage(request: Request): boolean {
  return request.accepts(['json', 'html']) === 'html';
}

import type { Request, Response, Router } from 'express';
import { toExcerpt } from '../../../common/look/visible.ts';
import { type Answer, noContent, type TextAnswer, toErrorAnswer } from '../../answers/answer.ts';
import { localsOf } from '../../http/locals.ts';
import { sendAnswer } from '../../http/send-answer.ts';
import { quote } from '../../json/quote.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import { type Asset, createReadAsset } from './assets.ts';
import { createReadDocs } from './docs.ts';
import { type OperationViewOptions, toOperationView } from './operation-view.ts';
import { pageHeaders } from './page.ts';
import { type StartPageOptions, toRoot, toStartPage } from './start-page.ts';

const methods = 'GET, HEAD, OPTIONS';

/**
 * Puts the pages that browsers show, and the files that they load, on an Express app. Mounted behind
 * the operations of the API, so that a call of one never meets them.
 */
export function mountPages(app: Router, options: StartPageOptions): void {
  app.get('/', async (request, response, next) => {
    if (!wantsPage(request)) return next();
    const { sandbox, sandboxName, prefix } = localsOf(response);
    const [path = ''] = request.originalUrl.split('?');
    // Links of the page of a sandbox need the slash at its end.
    const answer =
      prefix !== '' && !path.endsWith('/')
        ? toFolder(`./${path.slice(path.lastIndexOf('/') + 1)}/`)
        : await toStartPage(request, { ...options, sandbox, sandboxName, prefix });
    sendAnswer(response, answer, ['Vary', 'Accept']);
  });
  app.all('/__pages/operation.json', async (request, response) => {
    const { sandbox, prefix } = localsOf(response);
    const base = toRoot(request, prefix) + options.served.document.basePath;
    const answer =
      answerMethod(request) ?? (await answerOperation(request, { ...options, sandbox, base }));
    sendAnswer(response, answer, []);
  });
  mountFiles(app, '/__pages', createReadAsset());
  app.use('/__docs', (request, response, next) => {
    const [path = ''] = request.originalUrl.split('?');
    const isBare = request.path === '/' && !path.endsWith('/');
    if (isBare) sendAnswer(response, answerMethod(request) ?? toFolder('__docs/'), []);
    else next();
  });
  const readDocs = createReadDocs(options.served.document);
  mountFiles(app, '/__docs', (path, response) =>
    readDocs(path, localsOf(response).sandbox.clock.now()),
  );
}

/** Reads the file of a path, without the slash at its beginning. */
type ReadFile = (path: string, response: Response) => Asset | undefined;

function mountFiles(app: Router, place: string, read: ReadFile): void {
  app.use(place, (request: Request, response: Response) => {
    const file = read(request.path.slice(1), response);
    sendAnswer(response, toFileAnswer(request, file), []);
  });
}

/** The answer with a file of a page, if there is one. */
export function toFileAnswer(request: Request, file: Asset | undefined): Answer | TextAnswer {
  if (!file)
    return toErrorAnswer('unknown_path', `No page has a file at ${toExcerpt(request.path, 200)}.`);
  return answerMethod(request) ?? { status: 200, ...file, headers: pageHeaders };
}

/** The answer to a method that reads nothing; undefined for the others. */
function answerMethod({ method }: Request): Answer | undefined {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const headers = { Allow: methods };
  return method === 'OPTIONS'
    ? { ...noContent, headers }
    : toErrorAnswer(
        'method_not_allowed',
        `${method} is not allowed here. Use ${methods}.`,
        headers,
      );
}

/** Sends the data that pages need to call the operation named in the query. */
async function answerOperation(
  { url }: Request,
  options: OperationViewOptions & { sandbox: Sandbox; base: string },
): Promise<Answer | TextAnswer> {
  const id = new URL(url, 'http://localhost').searchParams.get('id') ?? '';
  const operation = options.served.document.operations.find((one) => one.id === id);
  if (!operation) return toErrorAnswer('not_found', `The document has no operation ${quote(id)}.`);
  const text = JSON.stringify(await toOperationView(operation, options));
  // It changes with what is stored.
  const headers = { ...pageHeaders, 'Cache-Control': 'no-store' };
  return { status: 200, text, mediaType: 'application/json', headers };
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

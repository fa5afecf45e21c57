import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerSelf, refusal } from './own-answer.ts';

/** The state of the proxy, as its own pages show it. */
export type Health = {
  target: string;
  startedAt: string;
  /** Exchanges that were recorded, that are under way, and that were dropped by the judge. */
  passed: number;
  underWay: number;
  dropped: number;
  /** How many kinds of finding there are, by verdict. */
  findings: Readonly<Record<string, number>>;
};

export type OwnPagesOptions = {
  health: () => Health;
  render: (format: 'json' | 'html') => Promise<string>;
};

/** A page; `refresh` is after how many seconds a browser loads it anew. */
type Page = { type: string; text: () => string | Promise<string>; refresh?: number };

const refresh = 10;

const prefix = '/__proxy/';

/** The report has a policy of its own. */
const safety = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cache-Control', 'no-store'],
];

/** Gives a function that answers what is below `/__proxy/`, and says whether that was so. */
export function createOwnPages({ health, render }: OwnPagesOptions) {
  const html = 'text/html; charset=utf-8';
  const pages: Readonly<Record<string, Page>> = {
    health: {
      type: 'application/json',
      text: () => `${JSON.stringify({ status: 'ok', ...health() })}\n`,
    },
    report: { type: html, text: () => render('html'), refresh },
    'report.html': { type: html, text: () => render('html') },
    'report.json': { type: 'application/json', text: () => render('json') },
  };
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    const [pathname = ''] = path.split('?');
    if (!pathname.startsWith(prefix)) return false;
    request.resume();
    const name = pathname.slice(prefix.length);
    const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
    const known = Object.keys(pages).map((one) => prefix + one);
    if (page) void send(response, page);
    else
      answerSelf(
        response,
        refusal(404, 'not_found', `The proxy itself serves ${known.join(', ')}.`),
      );
    return true;
  };
}

async function send(response: ServerResponse, { type, text, refresh: after }: Page): Promise<void> {
  try {
    const body = await text();
    response.writeHead(200, [
      ...['Content-Type', type],
      ...['Content-Length', String(Buffer.byteLength(body))],
      ...(after === undefined ? [] : ['Refresh', String(after)]),
      ...safety,
    ]);
    response.end(body);
  } catch (error) {
    const message = `There is no report: ${(error as Error).message}. What passes is not judged any more.`;
    answerSelf(response, refusal(500, 'no_report', message));
  }
}

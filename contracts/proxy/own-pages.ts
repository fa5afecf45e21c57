import type { IncomingMessage, ServerResponse } from 'node:http';
import { moduleExtension, readBrowserCode } from '../look/browser-code.ts';
import { html } from '../look/markup.ts';
import { code } from '../look/parts.ts';
import { readIcon, readLook } from '../look/read-look.ts';
import { readOwn } from '../look/read-own.ts';

/** What the proxy's own pages tell of it. */
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

type Page = { type: string; text: () => string | Promise<string> };

const prefix = '/__proxy/';

/** Nothing inline runs, nothing of another origin loads, and no page of another may show them. */
const safety = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cross-Origin-Resource-Policy', 'same-origin'],
  ...['Referrer-Policy', 'no-referrer'],
  ...['Cache-Control', 'no-store'],
];
const policy =
  "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Gives a function that answers what is below `/__proxy/`, and says whether that was so. */
export function createOwnPages({ health, render }: OwnPagesOptions) {
  const html = 'text/html; charset=utf-8';
  const css = 'text/css; charset=utf-8';
  const toUrl = (file: string) => new URL(`browser/${file}`, import.meta.url);
  const pages: Readonly<Record<string, Page>> = {
    health: { type: 'application/json', text: () => toJson({ status: 'ok', ...health() }) },
    report: { type: html, text: () => toLivePage(health().target) },
    'report.html': { type: html, text: () => render('html') },
    'report.json': { type: 'application/json', text: () => render('json') },
    'live.js': {
      type: 'text/javascript; charset=utf-8',
      text: () => readBrowserCode(toUrl(`live${moduleExtension}`)),
    },
    'live.css': { type: css, text: () => readOwn(toUrl('live.css')) },
    'look.css': { type: css, text: readLook },
    'icon.svg': { type: 'image/svg+xml', text: readIcon },
  };
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    const [pathname = ''] = path.split('?');
    if (!`${pathname}/`.startsWith(prefix)) return false;
    request.on('error', () => {});
    request.resume();
    const name = pathname.slice(prefix.length);
    const page = Object.hasOwn(pages, name) ? pages[name] : undefined;
    if (!page) {
      const known = ['health', 'report', 'report.html', 'report.json'].map((one) => prefix + one);
      sendError(response, 404, 'not_found', `The proxy itself serves ${known.join(', ')}.`);
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendError(response, 405, 'method_not_allowed', `${pathname} can only be read, with GET.`);
    } else void send(response, page);
    return true;
  };
}

async function send(response: ServerResponse, { type, text }: Page): Promise<void> {
  try {
    const body = await text();
    // The report has a policy of its own, stricter than this one.
    const headers = [
      ...safety,
      ...(body.includes('Content-Security-Policy') ? [] : ['Content-Security-Policy', policy]),
    ];
    response.writeHead(200, [
      ...['Content-Type', type],
      ...['Content-Length', String(Buffer.byteLength(body))],
      ...headers,
    ]);
    response.end(body);
  } catch (error) {
    const message = `There is no report: ${(error as Error).message}. What passes is not judged any more.`;
    sendError(response, 500, 'no_report', message);
  }
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(toJson({ code, message, status }));
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

/** The page that shows the report of a running proxy, and loads it anew when there is more. */
function toLivePage(target: string): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Live: ${target}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="look.css">
<link rel="stylesheet" href="live.css">
<script type="module" src="live.js"></script>
</head>
<body>
<header class="live">
<h1>Traffic to ${code(target)}</h1>
<p id="state" role="status">Connecting</p>
<p class="controls"><label><input id="automatic" type="checkbox" checked> Update automatically</label>
<button id="update" type="button">Update now</button>
<a href="report.json">JSON</a></p>
</header>
<main><iframe id="report" title="The report so far" src="report.html"></iframe></main>
</body>
</html>
`;
  return text;
}

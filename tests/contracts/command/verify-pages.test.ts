import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { verify } from '../../../package/verify.ts';
import { listenOn } from '../../support/listen-on.ts';
import { writeJson } from '../../support/write-json.ts';

const styles = ['page', 'offset', 'after', 'next', 'link'] as const;
type Style = (typeof styles)[number];

/** What a deployment does wrong with pages. */
type Fault = 'ignored' | 'overlap' | 'gap';

const note = {
  type: 'object',
  required: ['title', 'id'],
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
};

/** Notes whose list has pages in a style: `next` is the address of the next one in the answer. */
function writeNotes(style: Style) {
  const one = { description: 'ok', content: { 'application/json': { schema: note } } };
  const data = { type: 'array', items: note };
  const isNamed = style === 'next' || style === 'after';
  const named = { type: ['string', 'null'], ...(style === 'next' && { format: 'uri' }) };
  const properties = { data, [style === 'next' ? 'next' : 'next_cursor']: named };
  const schema = isNamed ? { type: 'object', properties } : data;
  const inQuery = (name: string, type: string) => ({ name, in: 'query', schema: { type } });
  const parameter = style === 'after' ? inQuery('cursor', 'string') : inQuery(style, 'integer');
  const asks = ['page', 'offset', 'after'].includes(style);
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        get: {
          operationId: 'list',
          parameters: [inQuery('per_page', 'integer'), ...(asks ? [parameter] : [])],
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { schema } },
              ...(style === 'link' && { headers: { Link: { schema: { type: 'string' } } } }),
            },
          },
        },
        post: {
          operationId: 'add',
          requestBody: { required: true, content: { 'application/json': { schema: note } } },
          responses: { 201: one },
        },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', responses: { 200: one, 404: { description: 'none' } } },
      },
    },
  });
}

async function startNotes(style: Style, fault?: Fault): Promise<string> {
  const notes = [{ id: 1, title: 'first' }];
  const server = createServer(async (request, response) => {
    const sent = Buffer.concat(await request.toArray()).toString();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const send = (status: number, body?: unknown, headers = {}) =>
      response
        .writeHead(status, { ...headers, 'Content-Type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    const [, , segment] = pathname.split('/');
    if (segment !== undefined) {
      const found = notes.find(({ id }) => String(id) === segment);
      return found ? send(200, found) : send(404);
    }
    if (request.method === 'POST') {
      const added = { title: readTitle(sent), id: notes.length + 1 };
      if (added.title === undefined) return send(400);
      notes.push(added as (typeof notes)[number]);
      return send(201, added);
    }
    const size = Number(searchParams.get('per_page') ?? 20);
    const number = Number(searchParams.get(style === 'after' ? 'cursor' : style) ?? 0);
    const start = style === 'page' ? (Math.max(1, number) - 1) * size : number;
    const shift = start === 0 ? 0 : { ignored: -start, overlap: -1, gap: 1 }[fault ?? 'gap'];
    const from = start + (fault ? shift : 0);
    const shown = notes.slice(from, from + size);
    const next = start + size < notes.length ? start + size : null;
    const address = `/notes?per_page=${size}&${style}=${next}`;
    if (style === 'next') return send(200, { data: shown, next: next && address });
    if (style === 'after') return send(200, { data: shown, next_cursor: next && String(next) });
    const link = style === 'link' && next !== null ? { Link: `<${address}>; rel="next"` } : {};
    return send(200, shown, link);
  });
  onTestFinished(() => void server.close());
  return listenOn(server);
}

function readTitle(text: string): string | undefined {
  try {
    const { title } = JSON.parse(text);
    return typeof title === 'string' ? title : undefined;
  } catch {
    return undefined;
  }
}

async function verifyNotes(style: Style, fault?: Fault) {
  const [url, spec] = [await startNotes(style, fault), await writeNotes(style)];
  return verify({ target: { url, keys: [] }, twin: false, spec, only: ['pages'] });
}

it.each(styles)('goes through pages in the style "%s", and finds each item once', async (style) => {
  const { findings, clauses } = await verifyNotes(style);
  expect(findings).toEqual([]);
  expect(clauses.find(({ id }) => id === 'pages')?.results.target).toMatchObject({
    verdict: 'kept',
    held: 2,
  });
});

it.each([
  ['ignored', 'page', /^list shows the same items on several pages$/],
  ['overlap', 'link', /^list shows an item on more than one page$/],
  ['gap', 'after', /^list shows some items that were created on no page$/],
] as const)('finds the fault "%s" of pages in the style "%s"', async (fault, style, text) => {
  const { findings } = await verifyNotes(style, fault);
  expect(findings.map(({ check, verdict }) => [check, verdict])).toEqual([['pages', 'drift']]);
  expect(findings[0]?.message).toMatch(text);
});

it.each(['page', 'after'] as const)('finds nothing wrong with the twin, %s', async (style) => {
  const report = await verify({ spec: await writeNotes(style), only: ['pages'] });
  expect(report.findings).toEqual([]);
  expect(report.clauses.find(({ id }) => id === 'pages')?.results.twin?.verdict).toBe('kept');
});

import { createServer, type ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { verify } from '../../../package/verify.ts';
import { listenOn } from '../../support/listen-on.ts';
import { writeJson } from '../../support/write-json.ts';

type Note = { id: number; title: string };
type Page = { shown: Note[] | undefined; next?: string | null; headers?: Record<string, string> };

/** How a deployment divides its list into pages. */
type Paged = {
  /** The query parameters besides `per_page`. */
  parameters: Record<string, 'integer' | 'string'>;
  /** Headers that the document describes. */
  header?: string;
  /** Whether the body holds `data` and `next`, which is an address. */
  isWrapped?: boolean;
  toPage: (notes: Note[], query: URLSearchParams, size: number, path: string) => Page;
};

const note = {
  type: 'object',
  required: ['title', 'id'],
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
};

function writeNotes({ parameters, header, isWrapped = false }: Paged) {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const data = { type: 'array', items: note };
  const next = { type: ['string', 'null'], format: 'uri' };
  const schema = isWrapped ? { type: 'object', properties: { data, next } } : data;
  const headers = header && { headers: { [header]: { schema: { type: 'string' } } } };
  const queries = Object.entries({ per_page: 'integer', ...parameters });
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        get: {
          operationId: 'list',
          parameters: queries.map(([name, type]) => ({ name, in: 'query', schema: { type } })),
          responses: { 200: { description: 'ok', ...json(schema), ...headers } },
        },
        post: {
          operationId: 'add',
          requestBody: { required: true, ...json(note) },
          responses: { 201: { description: 'ok', ...json(note) } },
        },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'read',
          responses: { 200: { description: 'ok', ...json(note) }, 404: { description: 'none' } },
        },
      },
    },
  });
}

async function startNotes({ toPage, isWrapped = false }: Paged) {
  const notes: Note[] = [{ id: 1, title: 'first' }];
  const asked: string[] = [];
  const send = (response: ServerResponse, status: number, body?: unknown, headers = {}) =>
    response
      .writeHead(status, { ...headers, 'Content-Type': 'application/json' })
      .end(body === undefined ? undefined : JSON.stringify(body));
  const server = createServer(async (request, response) => {
    const sent = Buffer.concat(await request.toArray()).toString();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'POST') {
      const title = readTitle(sent);
      if (title === undefined) return send(response, 400);
      notes.push({ title, id: notes.length + 1 });
      return send(response, 201, notes.at(-1));
    }
    const id = /^\/notes\/([^/]+)$/.exec(pathname)?.[1];
    const found = notes.find((one) => String(one.id) === id);
    if (id !== undefined) return found ? send(response, 200, found) : send(response, 404);
    const size = Number(searchParams.get('per_page') ?? 20);
    asked.push(request.url ?? '');
    const { shown, next = null, headers } = toPage(notes, searchParams, size, pathname);
    if (!shown) return send(response, 404);
    return send(response, 200, isWrapped ? { data: shown, next } : shown, headers);
  });
  onTestFinished(() => void server.close());
  return { url: await listenOn(server), asked };
}

function readTitle(text: string): string | undefined {
  try {
    const { title } = JSON.parse(text);
    return typeof title === 'string' ? title : undefined;
  } catch {
    return undefined;
  }
}

async function verifyNotes(paged: Paged) {
  const { url, asked } = await startNotes(paged);
  const spec = await writeNotes(paged);
  const report = await verify({ target: { url, keys: [] }, twin: false, spec });
  return { report, asked };
}

const numberOf = (query: URLSearchParams, name: string, byDefault: number) =>
  Number(query.get(name) ?? byDefault);

const fair: Record<string, Paged> = {
  'counts pages from 0': {
    parameters: { page: 'integer' },
    toPage: (notes, query, size) => {
      const start = numberOf(query, 'page', 0) * size;
      return { shown: notes.slice(start, start + size) };
    },
  },
  'counts items from 1': {
    parameters: { startIndex: 'integer' },
    toPage: (notes, query, size) => {
      const start = numberOf(query, 'startIndex', 1) - 1;
      return { shown: notes.slice(start, start + size) };
    },
  },
  'counts pages in its offset': {
    parameters: { page_offset: 'integer' },
    toPage: (notes, query, size) => {
      const start = numberOf(query, 'page_offset', 0) * size;
      return { shown: notes.slice(start, start + size) };
    },
  },
  'shows fewer items than were asked for': {
    parameters: { offset: 'integer' },
    toPage: (notes, query, size) => {
      const start = numberOf(query, 'offset', 0);
      return { shown: notes.slice(start, start + Math.max(1, size - 1)) };
    },
  },
  'shows its last page for all after it': {
    parameters: { page: 'integer' },
    toPage: (notes, query, size) => {
      const last = Math.ceil(notes.length / size);
      const start = (Math.min(last, numberOf(query, 'page', 1)) - 1) * size;
      return { shown: notes.slice(start, start + size) };
    },
  },
  'has no page after the last': {
    parameters: { page: 'integer' },
    toPage: (notes, query, size) => {
      const start = (numberOf(query, 'page', 1) - 1) * size;
      return { shown: start < notes.length ? notes.slice(start, start + size) : undefined };
    },
  },
  'gives cursors in a header': {
    parameters: { cursor: 'string' },
    header: 'X-Next-Cursor',
    toPage: (notes, query, size) => {
      const start = numberOf(query, 'cursor', 0);
      const end = start + size;
      const headers: Record<string, string> =
        end < notes.length ? { 'X-Next-Cursor': String(end) } : {};
      return { shown: notes.slice(start, end), headers };
    },
  },
  'sends no Link, which it need not': {
    parameters: { page: 'integer' },
    header: 'Link',
    toPage: (notes, query, size) => {
      const start = (numberOf(query, 'page', 1) - 1) * size;
      return { shown: notes.slice(start, start + size) };
    },
  },
  'gives links a title that looks like a relation': {
    parameters: {},
    header: 'Link',
    toPage: (notes, query, size) => {
      const number = numberOf(query, 'page', 1);
      const end = number * size;
      const to = (other: number) => `<http://notes.test/notes?per_page=${size}&page=${other}>`;
      const links = [
        ...(number > 1 ? [`${to(number - 1)}; title="rel=next"; rel="prev"`] : []),
        ...(end < notes.length ? [`${to(number + 1)}; rel="next"`] : []),
      ];
      return { shown: notes.slice(end - size, end), headers: { Link: links.join(', ') } };
    },
  },
  'has pages of other paths': {
    parameters: {},
    isWrapped: true,
    toPage: (notes, _query, size, path) => {
      const start = (Number(/^\/notes\/page\/(\d+)$/.exec(path)?.[1] ?? 1) - 1) * size;
      const isLast = start + size >= notes.length;
      const next = isLast
        ? null
        : `http://notes.test/notes/page/${start / size + 2}?per_page=${size}`;
      return { shown: notes.slice(start, start + size), next };
    },
  },
  'lists the newest first, and those since an id': {
    parameters: { since_id: 'integer' },
    toPage: (notes, query, size) => {
      const since = numberOf(query, 'since_id', 0);
      return {
        shown: notes
          .filter(({ id }) => id > since)
          .toReversed()
          .slice(0, size),
      };
    },
  },
  'gives a cursor that no address can hold': {
    parameters: {},
    isWrapped: true,
    toPage: (notes) => ({
      shown: notes.slice(0, 1),
      next: `http://notes.test/notes?cursor=${'x'.repeat(9000)}`,
    }),
  },
};

it.each(Object.entries(fair))('blames no deployment that %s', async (_name, paged) => {
  const { report, asked } = await verifyNotes(paged);
  expect(report.findings).toEqual([]);
  expect(asked.filter((address) => address.length > 5000)).toEqual([]);
});

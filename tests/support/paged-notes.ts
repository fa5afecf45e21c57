import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenOn } from './listen-on.ts';
import { jsonOf, toDocument } from './serve-document.ts';
import { writeJson } from './write-json.ts';

export type Note = { id: number; title: string };

/** The notes of a page, and where the next one is; 404 where it shows none. */
export type Page = {
  shown: Note[] | undefined;
  next?: string | null;
  headers?: Record<string, string>;
};

/** How a deployment divides its list of notes into pages. */
export type Paged = {
  /** The query parameters besides `per_page`. */
  parameters: Record<string, 'integer' | 'string'>;
  /** The header that the document describes. */
  header?: string;
  /** The property of the body that names the next page, beside the notes in `data`. */
  nextIn?: 'next' | 'next_cursor';
  toPage: (notes: Note[], query: URLSearchParams, size: number, path: string) => Page;
};

const note = {
  type: 'object',
  required: ['title', 'id'],
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
};

/** Writes a document with notes whose list has pages, and gives its file. */
export function writeNotes({ parameters, header, nextIn }: Paged): Promise<string> {
  const data = { type: 'array', items: note };
  const next = { type: ['string', 'null'], ...(nextIn === 'next' && { format: 'uri' }) };
  const schema = nextIn ? { type: 'object', properties: { data, [nextIn]: next } } : data;
  const headers = header && { headers: { [header]: { schema: { type: 'string' } } } };
  const queries = Object.entries({ per_page: 'integer', ...parameters });
  return writeJson(
    toDocument({
      '/notes': {
        get: {
          operationId: 'list',
          parameters: queries.map(([name, type]) => ({ name, in: 'query', schema: { type } })),
          responses: { 200: { ...jsonOf(schema), ...headers } },
        },
        post: {
          operationId: 'add',
          requestBody: { required: true, ...jsonOf(note) },
          responses: { 201: jsonOf(note) },
        },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: 'read',
          responses: { 200: jsonOf(note), 404: { description: 'none' } },
        },
      },
    }),
  );
}

/** Starts a deployment of notes that ends with the test; `asked` are the addresses of its pages. */
export async function startNotes({ toPage, nextIn }: Paged) {
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
    return send(response, 200, nextIn ? { data: shown, [nextIn]: next } : shown, headers);
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

import { documentOf } from './document-of.ts';
import { startServer } from './start-server.ts';
import { writeJson } from './write-json.ts';

export type Note = { id: number; title: string };

/** The notes of a page, and where the next one is; 404 where it shows none. */
export type Page = {
  shown: Note[] | undefined;
  next?: string | null;
  headers?: Record<string, string>;
};

/** How a deployment divides its list of notes into pages. */
export type PagedForm = {
  /** The query parameters besides `per_page`. */
  parameters: Record<string, 'integer' | 'string'>;
  /** The header that the document describes. */
  header?: string;
  /** The property of the body that names the next page, beside the notes in `data`. */
  nextIn?: 'next' | 'next_cursor';
  toPage: (notes: Note[], query: URLSearchParams, size: number, path: string) => Page;
};

/** Writes a document with notes whose list has pages, and gives its file. */
export function writeNotes({ parameters, header, nextIn }: PagedForm): Promise<string> {
  const schemas = {
    Note: '{ readonly id!: int, title! }',
    Next: { type: ['string', 'null'], ...(nextIn === 'next' && { format: 'uri' }) },
  };
  const queries = Object.entries({ per_page: 'integer', ...parameters });
  const query = queries.map(([name, type]) => `${name}:${type === 'integer' ? 'int' : 'text'}`);
  const document = documentOf(
    `
    list: GET /notes?${query.join('&')} -> ${nextIn ? `{ data: [Note], ${nextIn}: Next }` : '[Note]'}
    add: POST /notes Note! -> 201 Note
    read: GET /notes/{id} -> Note, 404
    `,
    schemas,
  );
  const headers = header && { [header]: { schema: { type: 'string' } } };
  Object.assign(document.paths['/notes']?.get.responses[200], headers && { headers });
  return writeJson(document);
}

/** Starts a deployment of notes that ends with the test; `asked` are the addresses of its pages. */
export async function startNotes({ toPage, nextIn }: PagedForm) {
  const notes: Note[] = [{ id: 1, title: 'first' }];
  const asked: string[] = [];
  const url = await startServer(({ method, path, query, sent }) => {
    const send = (status: number, body?: unknown, headers = {}) => ({ status, body, headers });
    if (method === 'POST') {
      if (typeof sent?.title !== 'string') return send(400);
      notes.push({ title: sent.title, id: notes.length + 1 });
      return send(201, notes.at(-1));
    }
    const id = /^\/notes\/([^/]+)$/.exec(path)?.[1];
    const found = notes.find((one) => String(one.id) === id);
    if (id !== undefined) return found ? send(200, found) : send(404);
    const size = Number(query.get('per_page') ?? 20);
    asked.push(`${path}?${query}`);
    const { shown, next = null, headers } = toPage(notes, query, size, path);
    if (!shown) return send(404);
    return send(200, nextIn ? { data: shown, [nextIn]: next } : shown, headers);
  });
  return { url, asked };
}

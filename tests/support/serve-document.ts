import { readAnswer, type TestAnswer } from './create-send.ts';
import { documentOf } from './document-of.ts';
import { startTwin, type TestTwin } from './twin.ts';
import { withJson } from './with-json.ts';
import { writeJson } from './write-json.ts';

type Settings = Parameters<typeof startTwin>[0];

/** A twin of a document, and what calls it below its base path. */
export type ServedDocument = TestTwin & {
  call: (path: string, init?: RequestInit) => Promise<TestAnswer>;
  /** Sends JSON, with a media type or headers, and gives the status and the JSON of the answer. */
  send: (
    method: string,
    path: string,
    body?: unknown,
    more?: string | Readonly<Record<string, string>>,
  ) => Promise<Pick<TestAnswer, 'status' | 'json'>>;
};

/**
 * Starts a twin that ends with the test, of a document, of the lines of one as `documentOf` reads
 * them, or of the file at a path.
 */
export async function serveDocument(
  document: object | string,
  settings: Settings = {},
): Promise<ServedDocument> {
  const isLines = typeof document === 'string' && document.includes('\n');
  const whole = isLines ? documentOf(document) : document;
  const spec = typeof whole === 'string' ? whole : await writeJson(whole);
  const twin = await startTwin({ spec, pets: 2, ...settings });
  const call = async (path: string, init: RequestInit = {}) =>
    readAnswer(await fetch(twin.api + path, { redirect: 'manual', ...init }));
  const send: ServedDocument['send'] = async (method, path, body, more = 'application/json') => {
    const headers = typeof more === 'string' ? { 'Content-Type': more } : more;
    const plain = { method, ...(typeof more === 'object' && { headers }) };
    const sent = body === undefined ? plain : withJson(method, body, headers);
    const { status, json } = await call(path, sent);
    return { status, json };
  };
  return { ...twin, call, send };
}

/** Starts such a twin without items. */
export function serveEmpty(document: object | string): Promise<ServedDocument> {
  return serveDocument(document, { items: 0 });
}

/** A document of OpenAPI 3.1 with these paths. */
export function toDocument(paths: object, more: object = {}): object {
  return { openapi: '3.1.0', info: { title: 'Other', version: '2' }, paths, ...more };
}

/** A response or body with JSON of a schema. */
export function jsonOf(schema: object, more: object = {}): object {
  return { description: 'Fine.', content: { 'application/json': { schema, ...more } } };
}

/** A parameter of a path, an integer by default. */
export function pathParameter(name: string | undefined, schema: object = { type: 'integer' }) {
  return { name, in: 'path', required: true, schema };
}

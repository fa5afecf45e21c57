import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { verify } from '../../../package/verify.ts';
import { listenOn } from '../../support/listen-on.ts';
import { writeJson } from '../../support/write-json.ts';

type Note = { id: number; title: string; pinned?: boolean; color?: string };

/** What a deployment does wrong with changes. */
type Fault = 'put' | 'merge' | 'patch' | 'delete' | 'listed';

function writeNotes(mediaType: string) {
  const note = {
    type: 'object',
    required: ['title'],
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      pinned: { type: 'boolean' },
      color: { enum: ['red', 'blue'] },
    },
  };
  const one = { description: 'ok', content: { 'application/json': { schema: note } } };
  const all = {
    description: 'ok',
    content: { 'application/json': { schema: { type: 'array', items: note } } },
  };
  const requestBody = { required: true, content: { 'application/json': { schema: note } } };
  const patched = { type: 'object', properties: { color: note.properties.color } };
  const patch = mediaType.includes('merge') ? patched : { type: 'array', items: {} };
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        get: { operationId: 'list', responses: { 200: all } },
        post: { operationId: 'add', requestBody, responses: { 201: one } },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', responses: { 200: one, 404: { description: 'none' } } },
        put: { operationId: 'put', requestBody, responses: { 200: one } },
        patch: {
          operationId: 'patch',
          requestBody: { required: true, content: { [mediaType]: { schema: patch } } },
          responses: { 200: one },
        },
        delete: { operationId: 'remove', responses: { 204: { description: 'gone' } } },
      },
    },
  });
}

async function startNotes(fault?: Fault): Promise<{ url: string; left: () => number[] }> {
  const notes = new Map<number, Note>([[1, { id: 1, title: 'first', color: 'red' }]]);
  const hidden = new Set<number>();
  let last = 1;
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const text = Buffer.concat(chunks).toString();
    const send = (status: number, body?: unknown) =>
      response
        .writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
        .end(body === undefined ? undefined : JSON.stringify(body));
    const [, , segment] = (request.url ?? '').split('?')[0]?.split('/') ?? [];
    const id = Number(segment);
    const method = segment === undefined ? `${request.method} all` : request.method;
    const note = hidden.has(id) && fault !== 'delete' ? undefined : notes.get(id);
    if (segment !== undefined && !note) return send(404);
    const save = (changed: Note) => {
      notes.set(id, changed);
      send(200, changed);
    };
    if (method === 'GET all' || method === 'HEAD all') {
      const isListed = (one: Note) => fault === 'listed' || !hidden.has(one.id);
      return send(200, [...notes.values()].filter(isListed));
    }
    if (method === 'POST all') {
      const sent = readNote(text);
      if (!sent) return send(400);
      last += 1;
      const added = { color: 'red', ...sent, id: last };
      notes.set(last, added);
      return send(201, added);
    }
    if (!note) return send(405);
    if (method === 'GET') return send(200, note);
    if (method === 'PUT') return save(fault === 'put' ? note : { ...JSON.parse(text), id });
    if (method === 'DELETE') {
      hidden.add(id);
      return send(204);
    }
    if (method !== 'PATCH') return send(405);
    const body = JSON.parse(text);
    if (Array.isArray(body)) {
      const [{ path, value }] = body;
      return save(fault === 'patch' ? note : { ...note, [path.slice(1)]: value });
    }
    return save(fault === 'merge' ? note : { ...note, ...body });
  });
  onTestFinished(() => void server.close());
  const left = () => [...notes.keys()].filter((id) => !hidden.has(id));
  return { url: await listenOn(server), left };
}

function readNote(text: string): Omit<Note, 'id'> | undefined {
  try {
    const { title, pinned = true, color = 'red', ...more } = JSON.parse(text);
    const fits = typeof pinned === 'boolean' && ['red', 'blue'].includes(color);
    return typeof title === 'string' && fits ? { title, color, ...more } : undefined;
  } catch {
    return undefined;
  }
}

const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';

it.each([merge, json])('finds nothing wrong with changes by %s that are made', async (type) => {
  const { url } = await startNotes();
  const spec = await writeNotes(type);
  const report = await verify({ target: { url, keys: [] }, twin: false, spec });
  expect(report.findings).toEqual([]);
  const kept = report.clauses.filter(({ results }) => results.target?.verdict === 'kept');
  const patch = type === merge ? 'merge-patch' : 'json-patch';
  expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(['replaced', patch, 'deleted']));
});

it.each([
  ['put', merge, 'replaced', 'standard', /put answers 200, but "title" is as it was/],
  ['merge', merge, 'merge-patch', 'drift', /patch answers 200, but "color" is as it was/],
  ['patch', json, 'json-patch', 'drift', /patch answers 200, but "title" is as it was/],
  ['delete', merge, 'deleted', 'standard', /read answers 200 for an item that remove deleted/],
  ['listed', merge, 'deleted', 'standard', /list lists an item that remove deleted/],
] as const)('finds the fault "%s" of changes by %s', async (fault, type, check, verdict, text) => {
  const { url } = await startNotes(fault);
  const spec = await writeNotes(type);
  const { findings } = await verify({ target: { url, keys: [] }, twin: false, spec });
  expect(findings.map((one) => [one.check, one.verdict])).toEqual([[check, verdict]]);
  expect(findings[0]?.message).toMatch(text);
});

it.each([merge, json])('finds nothing wrong with the twin of such a document, %s', async (type) => {
  const report = await verify({ spec: await writeNotes(type) });
  expect(report.findings).toEqual([]);
  expect(report.notCalled).toEqual([]);
});

it('deletes what it created', async () => {
  const { url, left } = await startNotes();
  const spec = await writeNotes(merge);
  const report = await verify({ target: { url, keys: [] }, twin: false, spec });
  expect(left()).toEqual([1]);
  expect(report.residue).toEqual([]);
});

it('deletes what it created when it is interrupted, too', async () => {
  const { url, left } = await startNotes();
  const controller = new AbortController();
  let most = 0;
  const report = await verify({
    target: { url, keys: [] },
    twin: false,
    spec: await writeNotes(merge),
    signal: controller.signal,
    onEvent: (event) => {
      most = Math.max(most, left().length);
      if (event.type === 'exchange' && most > 3) controller.abort();
    },
  });
  expect(report.verdict).toBe('incomplete');
  expect(most).toBeGreaterThan(3);
  // What was under way then was cut off, so nobody knows what came of it.
  expect(left().length).toBeLessThan(most);
  expect(report.residue).toEqual([]);
});

it('leaves what it created where the operation that deletes is skipped', async () => {
  const { url, left } = await startNotes();
  const spec = await writeNotes(merge);
  const report = await verify({
    target: { url, keys: [] },
    twin: false,
    spec,
    skip: ['remove'],
  });
  expect(left().length).toBeGreaterThan(3);
  expect(report.residue.map(({ deletedBy }) => deletedBy)).toContain('remove');
});

import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { listenOn } from '../../support/listen-on.ts';
import { verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

type Note = { id: number; title: string; pinned?: boolean; color?: string };

/** What a deployment does wrong with changes. */
type Fault = 'put' | 'put merges' | 'merge' | 'merge replaces' | 'patch' | 'patch replaces' | Other;
type Other = 'delete' | 'listed' | 'nothing deleted';

/** What a deployment does that nobody forbids. */
type Habit = 'drops' | 'refuses' | 'defaults' | 'holds one' | 'bounds ids';

function writeNotes(
  mediaType: string,
  clauses: object[] = [],
  { summary = 'Deletes a note', status = '404', maximum = 2 ** 40 } = {},
) {
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
  const patch = mediaType === json ? { type: 'array', items: {} } : patched;
  return writeJson({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    'x-clauses': clauses,
    paths: {
      '/notes': {
        get: { operationId: 'list', responses: { 200: all } },
        post: { operationId: 'add', requestBody, responses: { 201: one } },
      },
      '/notes/{id}': {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', maximum } },
        ],
        get: { operationId: 'read', responses: { 200: one, [status]: { description: 'none' } } },
        put: { operationId: 'put', requestBody, responses: { 200: one } },
        patch: {
          operationId: 'patch',
          requestBody: { required: true, content: { [mediaType]: { schema: patch } } },
          responses: { 200: one },
        },
        delete: { operationId: 'remove', summary, responses: { 204: { description: 'gone' } } },
      },
    },
  });
}

async function startNotes(fault?: Fault | Habit): Promise<{ url: string; left: () => number[] }> {
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
    if (fault === 'bounds ids' && id > 1000) return send(422);
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
      if (!sent || (fault === 'refuses' && /pinned.*color/.test(text))) return send(400);
      if (fault === 'drops') delete sent.pinned;
      last += 1;
      const added = { color: 'red', ...sent, id: last };
      notes.set(last, added);
      return send(201, added);
    }
    if (!note) return send(405);
    if (method === 'GET') return send(200, note);
    const { title, color = 'red' } = note;
    if (method === 'PUT') {
      if (fault === 'put') return save(note);
      const rest = {
        ...(fault === 'put merges' && note),
        ...(fault === 'defaults' && { color: 'red', pinned: true }),
        ...(fault === 'holds one' && { color }),
      } as const;
      return save({ ...rest, ...JSON.parse(text), id });
    }
    if (method === 'DELETE') {
      if (fault !== 'nothing deleted') hidden.add(id);
      return send(204);
    }
    if (method !== 'PATCH') return send(405);
    const body = JSON.parse(text);
    if (Array.isArray(body)) {
      const [{ path, value }] = body;
      const from = fault === 'patch replaces' ? { id, title } : note;
      return save(fault === 'patch' ? note : { ...from, [path.slice(1)]: value });
    }
    const from = fault === 'merge replaces' ? { id, title } : note;
    return save(fault === 'merge' ? note : { ...from, ...body });
  });
  onTestFinished(() => void server.close());
  const left = () => [...notes.keys()].filter((id) => !hidden.has(id));
  return { url: await listenOn(server), left };
}

function readNote(text: string): Omit<Note, 'id'> | undefined {
  try {
    const { title, pinned, color = 'red', ...more } = JSON.parse(text);
    const fits = [true, false, undefined].includes(pinned) && ['red', 'blue'].includes(color);
    const rest = pinned === undefined ? more : { ...more, pinned };
    return typeof title === 'string' && fits ? { title, color, ...rest } : undefined;
  } catch {
    return undefined;
  }
}

const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';
const plain = 'application/json';
const checkOf: Record<string, string> = {
  [merge]: 'merge-patch',
  [json]: 'json-patch',
  [plain]: 'updated',
};

it.each([merge, json, plain])('finds nothing wrong with changes by %s', async (type) => {
  const { url } = await startNotes();
  const spec = await writeNotes(type);
  const report = await verifyWrites(url, spec, { skip });
  expect(report.findings).toEqual([]);
  const kept = report.clauses.filter(({ results }) => results.target?.verdict === 'kept');
  expect(kept.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['replaced', `${checkOf[type]}`, 'deleted']),
  );
});

it.each([
  ['put', merge, 'replaced', 'drift', /put answers 200, but "title" is as it was/],
  [
    'put merges',
    merge,
    'replaced',
    'standard',
    /^put answers 200, but what it does not send is as it was: "pinned", "color"$/,
  ],
  ['merge', merge, 'merge-patch', 'drift', /patch answers 200, but "color" is as it was/],
  ['merge replaces', merge, 'merge-patch', 'drift', /^patch changes "pinned", which /],
  ['patch replaces', json, 'json-patch', 'drift', /^patch changes "color", "pinned", which /],
  ['merge', plain, 'updated', 'drift', /patch answers 200, but "color" is as it was/],
  ['patch', json, 'json-patch', 'drift', /200, but "title", "pinned", "color" are as they were/],
  ['delete', merge, 'deleted', 'drift', /read answers 200 for an item that remove deleted/],
  ['listed', merge, 'deleted', 'standard', /list lists an item that remove deleted/],
] as const)('finds the fault "%s" of changes by %s', async (fault, type, check, verdict, text) => {
  const { url } = await startNotes(fault);
  const spec = await writeNotes(type);
  const { findings } = await verifyWrites(url, spec, { skip });
  expect(findings.map((one) => [one.check, one.verdict])).toEqual([[check, verdict]]);
  expect(findings[0]?.message).toMatch(text);
});

it.each(['drops', 'refuses', 'defaults', 'holds one', 'bounds ids'] as const)(
  'blames no deployment that %s what it may',
  async (habit) => {
    const { url } = await startNotes(habit);
    const spec = await writeNotes(merge, [], { maximum: 1000 });
    const { findings, clauses } = await verifyWrites(url, spec, { skip });
    expect(findings).toEqual([]);
    expect(clauses.find(({ id }) => id === 'replaced')?.results.target?.verdict).toBe('kept');
  },
);

it.each([
  ['delete', 'Archives a note', '404', 'standard'],
  // No list shows the item, so it may be deleted.
  ['delete', 'Deletes a note', 'default', 'standard'],
  ['delete', 'Deletes a note', '410', 'drift'],
  ['nothing deleted', 'Deletes a note', 'default', 'drift'],
  ['nothing deleted', 'Deletes one of the notes that it queues', 'default', 'standard'],
] as const)('takes "%s" of "%s" with a read that documents %s for %s', async (fault, ...row) => {
  const [summary, status, verdict] = row;
  const { url } = await startNotes(fault);
  const spec = await writeNotes(merge, [], { summary, status });
  const { findings } = await verifyWrites(url, spec, { skip });
  const ofRead = findings.filter(({ operation }) => operation === 'read');
  expect(ofRead.map((one) => [one.check, one.verdict, one.clause.source])).toEqual([
    ['deleted', verdict, verdict === 'drift' ? '#/paths/~1notes~1{id}/delete' : 'RFC 9110 §9.3.5'],
  ]);
});

it.each([
  ['put', 'replaced', '#/paths/~1notes~1{id}/put', '#/paths/~1notes~1{id}/put'],
  ['put merges', 'replaced', '#/paths/~1notes~1{id}/put', 'RFC 9110 §9.3.4'],
  ['merge', 'updated', '#/paths/~1notes~1{id}/patch', '#/paths/~1notes~1{id}/patch'],
] as const)('says of "%s" where the document states the clause', async (fault, id, ...sources) => {
  const { url } = await startNotes(fault);
  const spec = await writeNotes(plain);
  const report = await verifyWrites(url, spec);
  const [clause] = report.clauses.filter((one) => one.id === id);
  expect([clause?.source, report.findings[0]?.clause.source]).toEqual(sources);
});

it('takes plain JSON for a merge patch only where the document says so', async () => {
  const { url } = await startNotes('merge replaces');
  const spec = (clauses: object[]) => writeNotes(plain, clauses);
  const worded = {
    id: 'merge-patch',
    source: '§1',
    text: 'An update changes what it names alone.',
  };
  const run = async (clauses: object[]) =>
    verify({
      allowWrites: true,
      target: { url, keys: [] },
      twin: false,
      spec: await spec(clauses),
      skip,
    });
  expect((await run([])).findings).toEqual([]);
  expect((await run([worded])).findings.map(({ check }) => check)).toEqual(['merge-patch']);
});

it('deletes what it created', async () => {
  const { url, left } = await startNotes();
  const spec = await writeNotes(merge);
  const report = await verifyWrites(url, spec, { skip });
  expect(left()).toEqual([1]);
  expect(report.residue).toEqual([]);
});

it('deletes what it created when it is interrupted, too', async () => {
  const { url, left } = await startNotes();
  const controller = new AbortController();
  let most = 0;
  const report = await verify({
    allowWrites: true,
    target: { url, keys: [] },
    twin: false,
    spec: await writeNotes(merge),
    signal: controller.signal,
    onEvent: (event) => {
      most = Math.max(most, left().length);
      if (event.type === 'exchange' && most > 3) controller.abort();
    },
    skip,
  });
  expect(report.verdict).toBe('incomplete');
  expect(most).toBeGreaterThan(3);
  // What was under way then was cut off, so nobody knows what came of it.
  expect(left().length).toBeLessThan(most);
  expect(report.residue).toEqual([]);
});

import { expect, it } from 'vitest';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { keptBy, verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

/** How notes are sent: inside of an object, as JSON of a name of its own, as forms, or as XML. */
type Sent = 'wrapped' | 'vendor' | 'form' | 'xml';

/** Describes what a deployment does wrong: with which calls it loses a field. */
type Fault = 'create' | 'replace' | 'merge' | 'nested';

const merge = 'application/merge-patch+json';
const urlencoded = 'application/x-www-form-urlencoded';
const vendor = 'application/vnd.notes+json';

function toNotes(sent: Sent) {
  const [one, patch] =
    sent === 'wrapped' ? ['{ note!: Note }', '{ note: Size }'] : ['Note', 'Size'];
  const encoding = { place: { style: 'deepObject', explode: true }, tags: { style: 'form' } };
  const form = {
    requestBody: { required: true, content: { [urlencoded]: { schema: whole, encoding } } },
  };
  const [body, patched] = {
    wrapped: ['{ note!: Note }', merge],
    vendor: [`${vendor} Note`, vendor],
    form: [`${urlencoded} Note`, urlencoded],
    xml: ['application/xml Note', urlencoded],
  }[sent];
  return documentOf(
    `
    Note: { readonly id: int, title!, size!: int, tags: [text], place: { room! } }
    Size: { size: int }
    list: GET /notes -> [Note]
    add: POST /notes ${body}! -> 201 ${one}, 400
    read: GET /notes/{id} -> ${one}, 404
    put: PUT /notes/{id} ${body}! -> ${one}
    patch: PATCH /notes/{id} ${patched} ${patch}! -> ${one}
    remove: DELETE /notes/{id} -> 204
    `,
    {},
    {
      ...(sent === 'form' && { operations: { 'POST /notes': form, 'PUT /notes/{id}': form } }),
      'x-clauses': ['created-as-sent', 'success-status', 'invalid-body'].map((id) => ({
        ...{ id, source: '§1', text: 'It is so.' },
      })),
    },
  );
}

const whole = schemaOf(
  '{ readonly id: int, title!, size!: int, tags!: [text], place!: { room! } }',
);

type Note = Record<string, unknown>;

type Call = { method: string; type: string; body: string };

/** Keeps notes, and each call that sent a body. */
async function startNotes(sent: Sent, fault?: Fault) {
  const first = { id: 1, title: 'first', size: 1, tags: ['a', 'b'], place: { room: '1' } };
  const notes = new Map<number, Note>([[1, first]]);
  const calls: Call[] = [];
  let last = 1;
  const url = await startServer(({ method, segments, headers, text, sent: object }) => {
    const send = (status: number, body?: unknown) => ({ status, body });
    const segment = segments[1];
    const id = Number(segment);
    const show = (status: number, one: Note) =>
      send(status, sent === 'wrapped' ? { note: one } : one);
    const known = notes.get(id);
    if (segment !== undefined && !known) return send(404);
    if (method === 'GET' || method === 'HEAD')
      return known ? show(200, known) : send(200, [...notes.values()]);
    if (method === 'DELETE') {
      notes.delete(id);
      return send(204);
    }
    calls.push({ method, type: headers['content-type'] ?? '', body: text });
    if (sent === 'vendor' && headers['content-type'] !== vendor) return send(415);
    const json = sent === 'wrapped' ? object?.note : object;
    const fields = sent === 'form' ? readForm(text) : toNote(json);
    const isPatch = method === 'PATCH';
    if (!fields || !fits(isPatch ? { ...known, ...fields } : fields)) return send(400);
    const kept = { ...fields };
    if (!known) {
      last += 1;
      if (fault === 'create') kept.size = 7;
      if (fault === 'nested') kept.place = { room: 'other' };
      notes.set(last, { ...kept, id: last });
      return show(201, notes.get(last) as Note);
    }
    if (method === 'PUT' && fault === 'replace') kept.size = known.size;
    if (isPatch && fault === 'merge') kept.size = known.size;
    notes.set(id, { ...(isPatch && known), ...kept, id });
    return show(200, notes.get(id) as Note);
  });
  return { url, calls };
}

function fits({ title, size, tags = [], place = {} }: Note): boolean {
  const isObject = typeof place === 'object' && place !== null && !Array.isArray(place);
  const isListOfTexts = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
  return typeof title === 'string' && Number.isInteger(size) && isListOfTexts && isObject;
}

function toNote(value: unknown): Note | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Note) : undefined;
}

/** As the encoding of the document says. */
function readForm(body: string): Note {
  const form = new URLSearchParams(body);
  const [title, size, room] = ['title', 'size', 'place[room]'].map((name) => form.get(name));
  return {
    ...(title !== null && { title }),
    ...(size !== null && { size: /^-?\d+$/.test(size ?? '') ? Number(size) : size }),
    ...(form.has('tags') && { tags: form.getAll('tags') }),
    ...(room !== null && { place: { room } }),
  };
}

async function verifyNotes(sent: Sent, fault?: Fault) {
  const { url, calls } = await startNotes(sent, fault);
  return { report: await verifyWrites(url, toNotes(sent)), calls };
}

it.each([
  ['wrapped', ['created-as-sent', 'replaced', 'merge-patch', 'invalid-body', 'deleted']],
  ['vendor', ['created-as-sent', 'replaced', 'updated', 'invalid-body', 'deleted']],
  ['form', ['created-as-sent', 'replaced', 'updated', 'invalid-body', 'deleted']],
] as const)('finds nothing wrong with notes that are sent %s', async (sent, clauses) => {
  const { report, calls } = await verifyNotes(sent);
  expect(report.findings).toEqual([]);
  expect(keptBy(report)).toEqual(expect.arrayContaining([...clauses]));
  expect(report.notCalled).toEqual([]);
  const types = { wrapped: ['application/json', merge], vendor: [vendor], form: [urlencoded] }[
    sent
  ];
  const sure = calls.filter(({ type }) => type !== 'text/plain');
  expect(new Set(sure.map(({ type }) => type))).toEqual(new Set(types));
  expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['POST', 'PUT', 'PATCH']));
});

it.each([
  ['wrapped', 'create', 'created-as-sent', /^add does not return "size" as it was sent$/],
  ['wrapped', 'replace', 'replaced', /^put answers 200, but "size" is as it was$/],
  ['wrapped', 'merge', 'merge-patch', /^patch answers 200, but "size" is as it was$/],
  ['form', 'create', 'created-as-sent', /^add does not return "size" as it was sent$/],
  ['form', 'nested', 'created-as-sent', /^add does not return "place" as it was sent$/],
  ['form', 'merge', 'updated', /^patch answers 200, but "size" is as it was$/],
  ['form', 'replace', 'replaced', /^put answers 200, but "size" is as it was$/],
] as const)('finds that notes sent %s lose a field: %s', async (sent, fault, check, text) => {
  const { report } = await verifyNotes(sent, fault);
  expect(report.findings.map((one) => one.check)).toEqual([check]);
  expect(report.findings[0]?.message).toMatch(text);
});

it('leaves out operations that take XML alone', async () => {
  const report = await verify({ spec: await writeJson(toNotes('xml')) });
  expect(report.findings).toEqual([]);
  const reasons = report.notCalled.map(({ operation, reason }) => [operation, reason]);
  const reason = 'it takes neither JSON, a form nor a file';
  expect(reasons).toEqual(
    expect.arrayContaining([
      ['add', reason],
      ['put', reason],
    ]),
  );
});

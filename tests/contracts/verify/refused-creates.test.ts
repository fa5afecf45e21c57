import { expect, it } from 'vitest';
import { narrowSecurity } from '../../../contracts/command/given-keys.ts';
import { withoutNested } from '../../../contracts/document/without-nested.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const document = documentOf(`
  Seat: { readonly id: int, name!, row!: int }
  GET /seats -> [Seat]
  addSeat: POST /seats Seat! -> 201 Seat, 400
  GET /seats/{id} -> Seat, 404
  putTool: PUT /tools/{tool} -> 201 Seat
`);

/** Starts a deployment that takes seats in integer rows up to a number. */
async function start(max: number): Promise<string> {
  const seats: object[] = [];
  return startServer(({ method, segments, sent }) => {
    if (method === 'PUT') return { status: 201, body: { id: 9, name: 'tool', row: 1 } };
    if (method === 'POST') {
      const fits = typeof sent?.name === 'string' && Number.isInteger(sent.row);
      if (!fits || Number(sent?.row) > max) return { status: 400, body: { error: 'row' } };
      seats.push({ ...sent, id: seats.length + 1 });
      return { status: 201, body: seats.at(-1) };
    }
    if (segments.length === 1) return { status: 200, body: seats };
    const found = seats[Number(segments[1]) - 1];
    return found ? { status: 200, body: found } : { status: 404 };
  });
}

it('sends required integers as numbers', async () => {
  const report = await verifyWrites(await start(2 ** 31), document);
  expect([report.verdict, report.incomplete, report.residue.length > 3]).toEqual([
    'clean',
    [],
    true,
  ]);
});

it('calls a run incomplete whose valid creates were all refused', async () => {
  const report = await verifyWrites(await start(5), document);
  expect(report.verdict).toBe('incomplete');
  expect(report.incomplete.join()).toMatch(
    /addSeat made nothing of the bodies that the document allows \(400, .*row/,
  );
});

/** Verifies a deployment that answers valid creates with a status, and may store another name. */
async function verifyCreates(status: number, name?: string | null, options = {}) {
  const stored: object[] = [{ id: 1, name: 'old' }];
  const url = await startServer(({ method, segments: [, id], sent }) => {
    if (method === 'POST' && typeof sent?.name !== 'string') return { status: 400 };
    if (method === 'POST' && status >= 300) return { status, body: { error: 'no' } };
    const made = { id: stored.length + 1, name: name ?? sent?.name };
    if (method === 'POST') stored.push(made);
    if (method === 'POST') return { status, ...(name !== null && { body: made }) };
    if (id === undefined) return { status: 200, body: stored };
    const found = stored[Number(id) - 1];
    return found ? { status: 200, body: found } : { status: 404 };
  });
  const boxes = documentOf(`
    Box: { readonly id: int, name!, row: int }
    GET /boxes -> [Box]
    addBox: POST /boxes Box! -> 201 Box, 202 Box, 400
    GET /boxes/{id} -> Box, 404
  `);
  const report = await verifyWrites(url, boxes, options);
  return report.incomplete.join();
}

it.each([
  [403, undefined, /addBox made nothing of the bodies that the document allows \(403, .*no/],
  [404, undefined, /addBox made nothing of the bodies .*\(404/],
  [409, undefined, /addBox made nothing of the bodies .*\(409/],
  [201, 'untitled', /addBox made no item that is proven to be the run's own .*\(201, .*untitled/],
  [202, 'untitled', /addBox made no item .*\(202/],
])(
  'calls a run incomplete whose creates are answered %s and prove nothing',
  async (status, name, text) => {
    expect(await verifyCreates(status, name)).toMatch(text);
  },
);

it('calls no run incomplete that was to create nothing, or whose items are its own or without ids', async () => {
  expect(await verifyCreates(403, undefined, { allowWrites: false })).toBe('');
  expect(await verifyCreates(201)).toBe('');
  expect(await verifyCreates(201, null)).toBe('');
});

it('reports what an operation created that --call allows', async () => {
  const options = { call: ['putTool'] };
  const report = await verifyWrites(await start(5), document, options);
  expect(report.residue).toContainEqual(expect.objectContaining({ operation: 'putTool', id: '9' }));
});

const securitySchemes = {
  first: { type: 'apiKey', in: 'header', name: 'X-First' },
  second: { type: 'apiKey', in: 'header', name: 'X-Second' },
};
const toBoxes = (more: Parameters<typeof documentOf>[2] = {}) => {
  const document = documentOf(
    `
    Box: { readonly id: int, name!, row: int }
    GET /tenants/{tenant:text}/databases/{database:text}/boxes -> [Box]
    addBox: POST /tenants/{tenant:text}/databases/{database:text}/boxes Box! -> Box
    GET /tenants/{tenant:text}/databases/{database:text}/boxes/{id} -> Box, 404
    DELETE /tenants/{tenant:text}/databases/{database:text}/boxes/{id} -> 204, 404
    `,
    {},
    more,
  );
  for (const { parameters } of Object.values(document.paths))
    for (const one of parameters) if (one.name !== 'id') one.example = 'main';
  return document;
};

it('deletes what an operation below others created that --call allows', async () => {
  const stored = new Map<string, object>();
  const made: string[] = [];
  const url = await startServer(({ method, path, sent }) => {
    if (method === 'POST') {
      const item = { ...sent, id: stored.size + 5 };
      made.push(`${path}/${item.id}`);
      stored.set(`${path}/${item.id}`, item);
      return { status: 200, body: item };
    }
    if (path.endsWith('/boxes')) return { status: 200, body: [...stored.values()] };
    if (!stored.has(path)) return { status: 404 };
    if (method === 'GET') return { status: 200, body: stored.get(path) };
    stored.delete(path);
    return { status: 204 };
  });
  const report = await verifyWrites(url, toBoxes(), { call: ['addBox'] });
  expect([made.length, stored.size, report.residue]).toEqual([1, 0, []]);
});

it('calls nested collections by the security scheme of the given key', () => {
  const security = [{ first: [] }, { second: [] }];
  const document = withoutNested(compile(toBoxes({ security, components: { securitySchemes } })));
  narrowSecurity(document, { isOpen: false, keys: [{ plan: 'second', secret: 'key' }] });
  const waysIn = document.nested?.[0]?.operations.create?.waysIn ?? [];
  expect(waysIn.map((way) => way.map(({ scheme }) => scheme.name))).toEqual([['second']]);
});

it.each([
  [
    { example: true },
    'target: addBox made nothing of the bodies that the document allows (400, {"error":"no"}; consent was sent as false: if it has to be true, give it "default: true" in the document or an overlay)',
  ],
  [
    { default: false },
    'target: addBox made nothing of the bodies that the document allows (400, {"error":"no"})',
  ],
  [
    { const: false },
    'target: addBox made nothing of the bodies that the document allows (400, {"error":"no"})',
  ],
  [{ default: true }, ''],
])(
  'names a required boolean that the document leaves open if its creates are refused: %j',
  async (more, text) => {
    const consent = { type: 'boolean', ...more };
    const { '/boxes': boxes, '/boxes/{id}': one } = collection(
      '/boxes',
      { consent },
      { required: ['name', 'consent'] },
    );
    const post = { ...boxes?.post, operationId: 'addBox' };
    const deployment = new Deployment('/boxes');
    const url = await deployment.start(({ method, sent }) =>
      method === 'POST' && sent?.consent !== true
        ? { status: 400, body: { error: 'no' } }
        : undefined,
    );
    const spec = toDocument({ '/boxes': { ...boxes, post }, '/boxes/{id}': one });
    const report = await verifyWrites(url, spec);
    expect(report.incomplete.join()).toBe(text);
  },
);

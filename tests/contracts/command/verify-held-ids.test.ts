import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { parseJson } from '../../../common/json.ts';
import { clusters } from '../../support/documents.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

/** Describes what a deployment does wrong with items whose names are in their metadata. */
type Fault = 'shared' | 'unchanged';

type Item = { metadata: { name: string; namespace?: string }; [member: string]: unknown };

const text = { type: 'string' };
const isItem = new Ajv2020().compile({
  type: 'object',
  properties: {
    kind: text,
    metadata: {
      type: 'object',
      properties: {
        ...{ name: text, namespace: text, uid: text },
        labels: { type: 'object', additionalProperties: text },
      },
    },
    spec: { type: 'object', properties: { zone: text, runs: { type: 'integer' } } },
  },
});

/** Reads the members that a patch sets, by JSON Patch or as a merge. */
function patched(item: Item, body: unknown): Item {
  if (!Array.isArray(body)) return { ...item, ...Object(body) };
  return { ...item, ...Object.fromEntries(body.map(({ path, value }) => [path.slice(1), value])) };
}

/** Starts a deployment of the document, written by hand. */
function startClusters(fault?: Fault): Promise<string> {
  const items = new Map<string, Item>();
  let [last, version] = [0, 0];
  return startServer(({ method, path, segments, text: sent }) => {
    const [status, send] = [
      (code: number) => ({ status: code }),
      (body: unknown, code = 200) => ({ status: code, body }),
    ];
    const isOfItem = segments.length % 2 === 0;
    const [collection, name = ''] = isOfItem
      ? [path.slice(0, path.lastIndexOf('/')), decodeURIComponent(segments.at(-1) ?? '')]
      : [path];
    const [noun, namespace] = segments.length > 2 ? ['jobs', segments[1]] : [segments[0]];
    if (namespace !== undefined && !items.has(`/namespaces/${namespace}`)) return status(404);
    const body = sent === '' ? undefined : parseJson(sent);
    const fits = isItem(body) && (noun !== 'jobs' || 'name' in Object(Object(body).metadata));
    const store = (id: string, item: Item) => {
      const own = { name: id, ...(namespace !== undefined && { namespace }) };
      const metadata = { ...item.metadata, ...own, resourceVersion: String(++version) };
      items.set(`${collection}/${id}`, { ...item, metadata });
      return items.get(`${collection}/${id}`);
    };
    if (method === 'POST') {
      if (!fits) return status(400);
      const id = (body as Item).metadata?.name ?? `made-${++last}`;
      return items.has(`${collection}/${id}`) ? status(409) : send(store(id, body as Item), 201);
    }
    if (!isOfItem) {
      const isOf = (at: string) =>
        noun === 'jobs' && (namespace === undefined || fault === 'shared')
          ? at.includes('/jobs/')
          : at.startsWith(`${collection}/`) && at.split('/').length === segments.length + 2;
      return send({ items: [...items].flatMap(([at, item]) => (isOf(at) ? [item] : [])) });
    }
    const item = items.get(`${collection}/${name}`);
    if (!item) return status(404);
    if (method === 'PUT') {
      if (!fits) return status(400);
      if (fault === 'unchanged') return send({ ...(body as Item), metadata: { name } });
      return send(store(name, body as Item));
    }
    if (method === 'PATCH') {
      const whole = patched(item, body);
      const metadata = { ...item.metadata, ...whole.metadata };
      if (!isItem({ ...whole, metadata }) || metadata.name !== name) return status(400);
      return send(store(name, { ...whole, metadata }));
    }
    if (method !== 'DELETE') return send(item);
    items.delete(`${collection}/${name}`);
    return send({ kind: 'Status' });
  });
}

it('finds nothing wrong with another deployment of them', async () => {
  const report = await verifyWrites(await startClusters(), clusters);
  expect(report.findings).toEqual([]);
  expect(report.residue).toEqual([]);
});

it.each([
  ['shared', 'nested', /^listJobs shows an item of another parent$/],
  ['unchanged', 'replaced', /^replaceNode answers 200, but "kind" is as it was$/],
] as const)('finds the fault "%s" of items with held ids', async (fault, check, text) => {
  const url = await startClusters(fault);
  const { findings } = await verifyWrites(url, clusters);
  expect(new Set(findings.map((one) => one.check))).toEqual(new Set([check]));
  expect(findings[0]?.message).toMatch(text);
});

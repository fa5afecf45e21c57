import { Ajv2020 } from 'ajv/dist/2020.js';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { projectFile } from '../../support/twin.ts';
import { verify, verifyWrites } from '../../support/verify-writes.ts';

const spec = projectFile('tests/support/clusters.yaml');

/** What a deployment does wrong with items whose names are in their metadata. */
type Fault = 'shared' | 'unchanged';

type Item = { metadata: { name: string; namespace?: string }; [member: string]: unknown };

const text = { type: 'string' };
const held = { name: text, namespace: text, uid: text };
const labels = { type: 'object', additionalProperties: text };
const isItem = new Ajv2020().compile({
  type: 'object',
  properties: {
    kind: text,
    metadata: { type: 'object', properties: { ...held, labels } },
    spec: { type: 'object', properties: { zone: text, runs: { type: 'integer' } } },
  },
});

function fits(body: unknown, prefix: string): boolean {
  return isItem(body) === true && (prefix !== 'jobs ' || 'name' in (Object(body).metadata ?? {}));
}

/** Starts a deployment of the document, written by hand. */
async function startClusters(fault?: Fault): Promise<string> {
  const items = new Map<string, Item>();
  const app = express();
  app.use(express.json({ strict: false, type: ['application/json', 'application/*+json'] }));
  app.use((error: Error, _: express.Request, response: express.Response, __: unknown) => {
    response.status(error ? 400 : 500).end();
  });
  const below = ({ params }: express.Request) =>
    params.namespace === undefined ? '' : `${params.namespace}/`;
  let last = 0;
  let version = 0;
  const store = (request: express.Request, prefix: string, name: string): Item => {
    const { namespace } = request.params;
    const { metadata, ...others } = request.body;
    version += 1;
    const resourceVersion = String(version);
    const item: Item = {
      ...others,
      metadata: {
        ...metadata,
        name,
        ...(namespace !== undefined && { namespace }),
        resourceVersion,
      },
    };
    items.set(`${prefix}${below(request)}${name}`, item);
    return item;
  };
  const serve = (path: string, prefix: string) => {
    app.use(path, (request, response, next) => {
      const [, namespace] = /^\/namespaces\/([^/]+)\/jobs/.exec(request.originalUrl) ?? [];
      if (namespace === undefined || items.has(`namespaces ${namespace}`)) return next();
      return response.status(404).end();
    });
    app.get(path, (request, response) => {
      const own = `${prefix}${fault === 'shared' ? '' : below(request)}`;
      const listed = [...items].filter(([key]) => key.startsWith(own)).map(([, item]) => item);
      response.json({ items: listed });
    });
    app.post(path, (request, response) => {
      const isEmpty = request.headers['content-length'] === '0';
      if (isEmpty || !fits(request.body, prefix)) return response.status(400).end();
      last += 1;
      const name = request.body.metadata?.name ?? `made-${last}`;
      if (items.has(`${prefix}${below(request)}${name}`)) return response.status(409).end();
      return response.status(201).json(store(request, prefix, name));
    });
    app.get(`${path}/:name`, (request, response) => {
      const { name } = request.params;
      const item = items.get(`${prefix}${below(request)}${name}`);
      if (!item) return response.status(404).end();
      return response.json(item);
    });
    app.put(`${path}/:name`, (request, response) => {
      const { name = '' } = request.params;
      if (!items.has(`${prefix}${below(request)}${name}`)) return response.status(404).end();
      if (!fits(request.body, prefix)) return response.status(400).end();
      if (fault === 'unchanged') return response.json({ ...request.body, metadata: { name } });
      return response.json(store(request, prefix, name));
    });
    app.delete(`${path}/:name`, (request, response) => {
      const key = `${prefix}${below(request)}${request.params.name}`;
      if (!items.has(key)) return response.status(404).end();
      items.delete(key);
      return response.json({ kind: 'Status' });
    });
  };
  app.patch('/nodes/:name', (request, response) => {
    const { name } = request.params;
    const item = items.get(`nodes ${name}`);
    if (!item) return response.status(404).end();
    const patches = Array.isArray(request.body) ? request.body : [];
    const merged = Array.isArray(request.body) ? {} : request.body;
    const set = patches.map(({ path, value }) => [path.slice(1), value]);
    const changed: Item = { ...item, ...merged, ...Object.fromEntries(set) };
    version += 1;
    const resourceVersion = String(version);
    const metadata = { ...item.metadata, ...merged.metadata, resourceVersion };
    const whole = { ...changed, metadata };
    if (!fits(whole, '') || whole.metadata.name !== name) return response.status(400).end();
    items.set(`nodes ${name}`, whole);
    return response.json(whole);
  });
  app.get('/jobs', (_, response) => {
    const jobs = [...items].filter(([key]) => key.startsWith('jobs ')).map(([, item]) => item);
    response.json({ items: jobs });
  });
  serve('/nodes', 'nodes ');
  serve('/namespaces/:namespace/jobs', 'jobs ');
  serve('/namespaces', 'namespaces ');
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

it('finds nothing wrong with another deployment of them', async () => {
  const report = await verify({
    allowWrites: true,
    target: { url: await startClusters(), keys: [] },
    twin: false,
    spec,
  });
  expect(report.findings).toEqual([]);
  expect(report.residue).toEqual([]);
});

it.each([
  ['shared', 'nested', /^listJobs shows an item of another parent$/],
  ['unchanged', 'replaced', /^replaceNode answers 200, but "kind" is as it was$/],
] as const)('finds the fault "%s" of items with held ids', async (fault, check, text) => {
  const url = await startClusters(fault);
  const { findings } = await verifyWrites(url, spec);
  expect(new Set(findings.map((one) => one.check))).toEqual(new Set([check]));
  expect(findings[0]?.message).toMatch(text);
});

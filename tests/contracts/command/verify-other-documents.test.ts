import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { formatReport } from '../../../package/verify.ts';
import { toDocument } from '../../support/serve-document.ts';
import { type AskedRequest, startServer } from '../../support/start-server.ts';
import { projectFile } from '../../support/twin.ts';
import { keptBy, verify, verifyWrites } from '../../support/verify-writes.ts';
import { writeJson, writeText } from '../../support/write-json.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

type Parcel = { id: string; label: string };

/**
 * A fair deployment of parcels.yaml: it asks for no key and has no limits, and errors of its own
 * form.
 */
async function startParcels(
  answer: (parcel: Parcel) => object = (parcel) => parcel,
): Promise<{ url: string; asked: AskedRequest[] }> {
  const parcels: Parcel[] = Array.from({ length: 3 }, (_, n) => ({
    id: `00000000-0000-4000-8000-00000000000${n}`,
    label: `p${n}`,
  }));
  const asked: AskedRequest[] = [];
  const url = await startServer((one) => {
    asked.push(one);
    const { method, path, sent } = one;
    const send = (status: number, body: unknown) => ({ status, body });
    const id = /^\/depot\/parcels\/([^/]+)$/.exec(path)?.[1];
    if (id !== undefined && method === 'GET') {
      const parcel = parcels.find((known) => known.id === id);
      return parcel ? send(200, answer(parcel)) : send(404, { detail: 'no such parcel' });
    }
    if (path !== '/depot/parcels') return send(404, { detail: 'nothing here' });
    if (method === 'GET' || method === 'HEAD') return send(200, parcels.map(answer));
    if (method !== 'POST') return { status: 405, headers: { Allow: 'GET, POST' } };
    const { label, weight = 1 } = sent ?? {};
    if (typeof label !== 'string' || typeof weight !== 'number' || weight <= 0)
      return send(422, { detail: 'no parcel' });
    const parcel = { id: crypto.randomUUID(), label: label.trim().toUpperCase() };
    parcels.push(parcel);
    return send(200, answer(parcel));
  });
  return { url, asked };
}

const spec = projectFile('tests/support/parcels.yaml');

it('finds no drift in a fair deployment that asks for no key, and sends it none', async () => {
  const { url, asked } = await startParcels();
  const report = await verify({ allowWrites: true, target: { url, keys: [] }, spec });
  expect(report.findings).toEqual([]);
  expect(report.verdict).toBe('clean');
  const ids = ['success-status', 'invalid-body', 'error-shape', 'body-schema', 'media-type'];
  expect(keptBy(report)).toEqual(expect.arrayContaining(ids));
  expect(JSON.stringify(report)).not.toMatch(/"§/);
  expect(
    asked.filter(
      ({ headers }) => headers.authorization !== undefined || headers.cookie !== undefined,
    ),
  ).toEqual([]);
});

it('says where the document states what a deployment breaks, with a line that sends no key', async () => {
  const { url } = await startParcels(({ label }) => ({ id: 7, label }));
  const { findings } = await verify({ target: { url, keys: [] }, spec, readOnly: true });
  const [finding] = findings.filter(({ check }) => check === 'body-schema');
  expect(finding?.clause.source).toMatch(/^#\/paths\/~1depot~1parcels(~1\{parcelId\})?\/get$/);
  expect(finding?.curl).not.toContain('Authorization');
});

it('says which operations it does not call, and which one could delete what it created', async () => {
  const { url } = await startParcels();
  const text = await readFile(spec, 'utf8');
  const item = '  /depot/parcels/{parcelId}:\n';
  const responses = "responses: { '204': { description: gone } }";
  const more = `    delete: { operationId: dropParcel, ${responses} }\n`;
  const path = '/depot/settings';
  const settings = `  ${path}:\n    patch: { ${responses} }\n`;
  const withDelete = await writeText(text.replace(item, settings + item + more));
  const report = await verifyWrites(url, withDelete);
  const reason = `it may change items that the run did not create; --call 'PATCH ${path}' allows it`;
  expect(report.notCalled).toEqual([{ operation: `PATCH ${path}`, method: 'PATCH', path, reason }]);
  // The deployment has no such operation.
  expect(report.residue.length).toBeGreaterThan(0);
  expect(new Set(report.residue.map(({ deletedBy }) => deletedBy))).toEqual(
    new Set(['dropParcel']),
  );
  const printed = formatReport(report, 'markdown');
  expect(printed).toContain(`PATCH ${path}: ${reason}`);
  const plain = await verifyWrites(url, spec);
  expect(plain.notCalled).toEqual([]);
  expect(plain.residue.every(({ deletedBy }) => deletedBy === undefined)).toBe(true);
});

it('begins without a GET that could prove a key, and says what it cannot send', async () => {
  const posts = {
    '/things': { post: { responses: { 200: { description: 'ok' } } } },
    '/x/{id}': { get: { responses: { 200: { description: 'ok' } } } },
  };
  const { url } = await startParcels();
  const onlyPosts = await writeJson(toDocument(posts));
  const { findings } = await verifyWrites(url, onlyPosts, { call: ['POST /things'], skip });
  expect(findings.map(({ check, operation, actual }) => [check, operation, actual])).toEqual([
    ['success-status', 'POST /things', '404 {"detail":"nothing here"}'],
  ]);
  const address = await startServer(() => ({ status: 401 }));
  const keyed = await writeJson(
    toDocument(
      { '/things': { get: { responses: { 200: { description: 'ok' } } } } },
      {
        security: [{ shopKey: [] }],
        components: { securitySchemes: { shopKey: { type: 'mutualTLS' } } },
      },
    ),
  );
  await expect(verify({ target: { url: address, keys: ['k'] }, spec: keyed })).rejects.toThrow(
    'Keys are sent as the document describes them; it also asks for shopKey (mutualTLS), which cannot be sent.',
  );
});

it('verifies a deployment under another path than that of the document', async () => {
  const { url } = await startParcels();
  const text = await readFile(spec, 'utf8');
  const elsewhere = await writeText(text.replace('- url: /', '- url: https://parcels.test/api/v3'));
  const report = await verifyWrites(url, elsewhere);
  expect(report.verdict).toBe('clean');
  await expect(
    verify({ target: { url: `${url}/api/v3`, keys: [] }, twin: false, spec: elsewhere }),
  ).rejects.toThrow('Is its path right?');
});

it('refuses a document with a part that cannot be used where it is asked to', async () => {
  const text = await readFile(spec, 'utf8');
  const broken = await writeText(text.replace('paths:\n', 'paths:\n  broken: {}\n'));
  await expect(verify({ spec: broken, strictSpec: true })).rejects.toThrow(
    `${broken} cannot be used under strictSpec: #/paths/broken: `,
  );
});

import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const item = {
  type: 'object',
  required: ['name'],
  properties: {
    id: { type: 'integer', readOnly: true },
    uuid: { type: 'string', readOnly: true },
    name: { type: 'string' },
  },
};
const shown = { 200: jsonOf(item), 404: { description: 'None.' } };
const body = { requestBody: { required: true, ...jsonOf(item) } };
const none = { 204: { description: 'Gone.' }, 404: { description: 'None.' } };
const list = { get: { responses: { 200: jsonOf({ type: 'array', items: item }) } } };

const toSpec = (hasList: boolean) =>
  writeJson(
    toDocument({
      '/items': {
        ...(hasList && list),
        post: { ...body, responses: { 201: jsonOf(item), 400: { description: 'Wrong.' } } },
      },
      '/items/{id}': {
        parameters: [pathParameter('id')],
        get: { responses: shown },
        patch: { ...body, responses: shown },
        delete: { responses: none },
      },
    }),
  );

type Stored = { id: number; uuid: string; name: string };
type Show = (one: Stored, how: { method: string; reads: number }) => unknown;

/**
 * Starts a deployment with items of somebody else, 1001 to 1500, which shows its own as `show` says,
 * and gives it with the ids that are deleted or changed there.
 */
async function start(show: Show) {
  const items = new Map<number, Stored>();
  const harmed: number[] = [];
  let reads = 0;
  for (let id = 1001; id <= 1500; id++) items.set(id, { id, uuid: `u${id}`, name: `Ours ${id}` });
  let next = 1;
  const url = await startServer(({ method, path, segments, sent }) => {
    const id = Number(segments[1]);
    const found = items.get(id);
    if (path === '/items' && method === 'POST') {
      if (typeof sent?.name !== 'string') return { status: 400 };
      const made = { id: next, uuid: `u${next}`, name: sent.name };
      items.set(next++, made);
      return { status: 201, body: made };
    }
    if (path === '/items')
      return {
        status: 200,
        body: [...items.values()]
          .slice(0, 20)
          .map((one) => (one.id > 1000 ? one : show(one, { method, reads }))),
      };
    if (!found) return { status: 404 };
    if (method !== 'GET' && id > 1000) harmed.push(id);
    if (method === 'DELETE') {
      items.delete(id);
      return { status: 204 };
    }
    if (method === 'PATCH') Object.assign(found, sent);
    else reads += 1;
    return { status: 200, body: id > 1000 ? found : show(found, { method, reads }) };
  });
  return { url, harmed };
}

const later = (one: Stored, id = one.id + 1000) => ({ ...one, id });

it.each<[string, Show]>([
  ['in each read', (one) => later(one)],
  ['in an envelope', (one) => ({ data: later(one) })],
  ['from its third read on', (one, { reads }) => (reads > 2 ? later(one) : one)],
  ['in the answer to a change', (one, { method }) => (method === 'PATCH' ? later(one) : one)],
  ['beside the one of its path', (one) => ({ ...one, uuid: `u${one.id + 1000}` })],
])('leaves an item alone that is shown with another id %s, and reports that', async (_, show) => {
  for (const hasList of [true, false]) {
    const { url, harmed } = await start(show);
    const report = await verifyWrites(url, await toSpec(hasList));
    expect(harmed).toEqual([]);
    expect(report.findings.map(({ check, verdict }) => `${check} ${verdict}`)).toContain(
      'read-back drift',
    );
    expect(report.leftAlone?.map(({ reason }) => reason).join()).toContain('shows the id');
  }
});

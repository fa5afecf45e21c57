import { expect, it } from 'vitest';
import { jsonOf, pathParameter, toDocument } from '../../support/serve-document.ts';
import { type Asked, type Reply, startServer } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const id = { type: 'integer', readOnly: true };
const name = { type: 'string' };
const none = { description: 'None.' };

/** A collection of items with these properties, each of which can be changed and deleted. */
function collection(
  path: string,
  properties: object = {},
  { required = ['name'], create = {} }: { required?: string[]; create?: object } = {},
) {
  const item = { type: 'object', required, properties: { id, name, ...properties } };
  const body = { requestBody: { required: true, ...jsonOf(item) } };
  const shown = { 200: jsonOf(item), 404: none };
  return {
    [path]: {
      get: { responses: { 200: jsonOf({ type: 'array', items: item }) } },
      post: { ...body, responses: { 201: jsonOf(item), 400: none }, ...create },
    },
    [`${path}/{id}`]: {
      parameters: [pathParameter('id')],
      get: { responses: shown },
      patch: { ...body, responses: shown },
      delete: { responses: { 204: none, 404: none } },
    },
  };
}

type Item = Record<string, unknown>;

/** A deployment that has items of others with the ids 1 to 9, and notes each change of these. */
class Deployment {
  readonly items = new Map<string, Item>();
  readonly asked: Asked[] = [];
  readonly harmed: string[] = [];
  next = 100;

  constructor(...paths: string[]) {
    for (const path of paths)
      for (let id = 1; id <= 9; id++) this.items.set(`${path}/${id}`, { id, name: `Ours ${id}` });
  }

  /** The ids of the items of the run that are left. */
  left(): unknown[] {
    return [...this.items.values()].map((one) => one.id).filter((one) => !(Number(one) < 10));
  }

  add(path: string, fields: Item, id: unknown = this.next++): Item {
    const made = { ...fields, id };
    this.items.set(`${path}/${id}`, made);
    return made;
  }

  readonly answer = (asked: Asked): Reply => {
    const { method, path, sent } = asked;
    const found = this.items.get(decodeURIComponent(path));
    if (method === 'POST' && typeof sent?.name !== 'string') return { status: 400 };
    if (method === 'POST') return { status: 201, body: this.add(path, sent ?? {}) };
    if (!found && path.split('/').length > 2) return { status: 404 };
    if (!found) {
      const listed = [...this.items].filter(([at]) => at.startsWith(`${path}/`));
      return { status: 200, body: listed.map(([, one]) => one) };
    }
    if (method !== 'GET' && Number(found.id) < 10) this.harmed.push(`${method} ${path}`);
    if (method === 'DELETE') this.items.delete(decodeURIComponent(path));
    if (method === 'DELETE') return { status: 204 };
    return { status: 200, body: method === 'GET' ? found : Object.assign(found, sent) };
  };

  /** Starts it with another answer to some requests. */
  start(other: (asked: Asked) => Reply | undefined = () => undefined): Promise<string> {
    return startServer((asked) => {
      this.asked.push(asked);
      return other(asked) ?? this.answer(asked);
    });
  }
}

it('changes no number of an item to one that others may have as their id', async () => {
  const zone = { type: 'integer', minimum: 1, maximum: 100 };
  const properties = { zone, keeper: { type: 'number' }, box: { type: 'integer', minimum: 2 } };
  const deployment = new Deployment('/cages');
  const set = { zone: 3, keeper: 4, box: 5 };
  const changes: Item[] = [];
  const creates: Item[] = [];
  const url = await deployment.start(({ method, path, sent }) => {
    if (method === 'POST' && typeof sent?.name === 'string') {
      creates.push(sent);
      return { status: 201, body: deployment.add(path, { ...sent, ...set }) };
    }
    if (method !== 'PATCH' || !sent) return undefined;
    changes.push(sent);
    return sent.name === undefined ? undefined : { status: 422 };
  });
  await verifyWrites(url, await writeJson(toDocument(collection('/cages', properties))));
  const sent = [...changes, ...creates].flatMap(({ name: _, id: __, ...more }) =>
    Object.values(more).map((value) => Math.round(Number(value))),
  );
  expect(sent.filter((value) => value > 0 && value < 1000)).toEqual([]);
  expect(changes.some(({ keeper }) => Number(keeper) > 2 ** 30)).toBe(true);
});

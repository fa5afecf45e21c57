import { jsonOf, pathParameter } from './serve-document.ts';
import { type AskedRequest, type Reply, startServer } from './start-server.ts';

const id = { type: 'integer', readOnly: true };
const name = { type: 'string' };
const none = { description: 'None.' };

/** Describes a collection of items with these properties, each of which can be changed and deleted. */
export function collection(
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

export type Item = Record<string, unknown>;

/** Holds items of others with the ids 1 to 9 beside those of a run, and notes each change of these. */
export class Deployment {
  readonly items = new Map<string, Item>();
  readonly asked: AskedRequest[] = [];
  readonly harmed: string[] = [];
  next = 100;
  /** The text that each create must have. */
  field = 'name';

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

  readonly answer = (asked: AskedRequest): Reply => {
    const { method, path, sent } = asked;
    const found = this.items.get(decodeURIComponent(path));
    if (method === 'POST' && typeof sent?.[this.field] !== 'string') return { status: 400 };
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
  start(other: (asked: AskedRequest) => Reply | undefined = () => undefined): Promise<string> {
    return startServer((asked) => {
      this.asked.push(asked);
      return other(asked) ?? this.answer(asked);
    });
  }
}

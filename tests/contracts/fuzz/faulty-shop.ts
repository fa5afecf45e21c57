import { Ajv2020 } from 'ajv/dist/2020.js';
import { documentOf } from '../../support/document-of.ts';
import { type AskedRequest, type Reply, startServer } from '../../support/start-server.ts';

const item = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 80 },
    count: { type: 'integer', minimum: 0, maximum: 100 },
  },
  additionalProperties: false,
};
const errors = '400, 401, 404, 409';

/** A shop whose things have a name that no two of them have, and whose every call needs a key. */
export const document = documentOf(
  `
  listThings: GET /things -> [Shown], ${errors}
  createThing: POST /things Thing! -> 201 Shown, ${errors}
  getThing: GET /things/{id} -> Shown, ${errors}
  replaceThing: PUT /things/{id} Thing! -> Shown, ${errors}
  deleteThing: DELETE /things/{id} -> 204, ${errors}
  `,
  {
    Thing: item,
    Shown: { ...item, properties: { id: { type: 'integer' }, ...item.properties } },
  },
  {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  },
);

const isValid = new Ajv2020({ strict: false }).compile(item);

type Thing = Record<string, unknown> & { name: string };

/** Gives another answer than the fair one, if any. */
export type Fault = (asked: AskedRequest, shop: Shop) => Reply | Promise<Reply> | undefined;

/** A fair deployment of the document, with things of others. */
export class Shop {
  readonly things = new Map<string, Thing>();
  /** The methods and paths by which things of others were changed. */
  readonly harmed: string[] = [];
  #next = 1000;

  constructor() {
    for (let id = 1; id <= 5; id++) this.things.set(String(id), { id, name: `Ours ${id}` });
  }

  /** The things that are there beside those of others. */
  left(): Thing[] {
    return [...this.things.values()].filter(({ id }) => Number(id) >= 1000);
  }

  readonly answer = ({ method, segments, headers, text }: AskedRequest): Reply => {
    const [, id] = segments;
    if (headers['x-key'] !== 'k-1') return { status: 401 };
    if (headers['content-type'] !== undefined && headers['content-type'] !== 'application/json')
      return { status: 415 };
    const thing = this.things.get(id ?? '');
    if (id !== undefined && !thing) return { status: 404 };
    if (thing && Number(id) < 1000 && ['PUT', 'DELETE'].includes(method))
      this.harmed.push(`${method} ${id}`);
    if (method === 'GET') return { status: 200, body: thing ?? [...this.things.values()] };
    if (method === 'DELETE' && thing) this.things.delete(id ?? '');
    if (method === 'DELETE' && thing) return { status: 204 };
    if (method !== 'POST' && method !== 'PUT') return { status: 405, headers: { Allow: 'GET' } };
    const body = parse(text);
    if (!isValid(body)) return { status: 400 };
    const { name } = body as Thing;
    const key = id ?? String(this.#next++);
    if ([...this.things].some(([other, one]) => other !== key && one.name === name))
      return { status: 409 };
    const made = { ...(body as Thing), id: Number(key) };
    this.things.set(key, made);
    return { status: method === 'POST' ? 201 : 200, body: made };
  };

  /** Starts it, with a fault or without. */
  start(fault: Fault = () => undefined): Promise<string> {
    return startServer((asked) => fault(asked, this) ?? this.answer(asked));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

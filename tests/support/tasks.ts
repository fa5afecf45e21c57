import { randomUUID } from 'node:crypto';
import { documentOf, schemaOf } from './document-of.ts';
import { type AskedRequest, type Reply, startServer } from './start-server.ts';
import { writeJson } from './write-json.ts';

/** A task as a deployment stores it. */
export type Task = Record<string, unknown> & { title: string; made: number };
type Row = Record<string, unknown>;

/** How a deployment and its document name, list and page tasks; what is left out is the plainest. */
export type TaskShape = {
  /** The kind of value that names a task in a path: `name` is the title that the client gives. */
  ids?: 'integer' | 'uuid' | 'text' | 'name';
  /** The property that holds the list, in an answer that is an object. */
  envelope?: string;
  /** The property that holds an item. */
  itemIn?: string;
  paging?: 'offset' | 'cursor' | 'limit';
  newestFirst?: boolean;
  created?: 200 | 201;
  /** How many tasks a list shows at most, whatever is asked for. */
  latest?: number;
  /** How long a list lacks a new task, in milliseconds. */
  late?: number;
  /** Whether the document says of ids only that they are texts, and refuses others with 400. */
  isFormless?: boolean;
  seeds?: number;
  /** Whether the document describes 400 for a read, too. */
  describes400?: boolean;
  /** Chooses the tasks that a list shows. */
  listed?: (tasks: Task[], query: URLSearchParams) => Task[];
  /** Changes how an answer shows a task. */
  show?: (task: Task, asked: AskedRequest) => Row;
  properties?: Row;
  /** More parameters of the list, such as `done:bool`, and schemas that they name. */
  queries?: string[];
  schemas?: Record<string, object>;
};

const isSet = (labels: unknown) =>
  Array.isArray(labels) &&
  labels.every((one) => typeof one === 'string') &&
  new Set(labels).size === labels.length;

const keyOf = ({ ids = 'integer' }: TaskShape) => (ids === 'name' ? 'title' : 'id');

/** Writes the document of such tasks, and gives its file. */
export function writeTasks(shape: TaskShape): Promise<string> {
  const {
    ids = 'integer',
    envelope,
    itemIn,
    paging,
    created = 201,
    properties,
    queries = [],
  } = shape;
  const type = {
    integer: 'int',
    uuid: shape.isFormless ? 'text' : 'uuid',
    text: 'text',
    name: 'text',
  }[ids];
  const own = ids === 'name' ? '' : `readonly id: ${type}, `;
  const task = schemaOf(`{ ${own}title!, note, done: bool, readonly created_at: date-time }`);
  const page = paging === 'cursor' ? `[Task], next: text | null` : '[Task]';
  const item = itemIn ? `{ ${itemIn}: Task }` : 'Task';
  const asked = [...(paging ? ['limit:Limit'] : []), ...queries];
  if (paging === 'offset') asked.push('offset:int');
  if (paging === 'cursor') asked.push('cursor');
  const at = `/tasks/{${keyOf(shape)}:${type}}`;
  const document = documentOf(
    `
    list: GET /tasks?${asked.join('&')} -> ${envelope ? `{ ${envelope}: ${page} }` : '[Task]'}
    add: POST /tasks Task! -> ${created} ${item}, 400
    read: GET ${at} -> ${item}, 404${shape.describes400 ? ', 400' : ''}
    put: PUT ${at} Task! -> ${item}, 404, 400
    remove: DELETE ${at} -> 204, 404
    `,
    {
      Task: { ...task, properties: { ...task.properties, ...properties } },
      Limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      ...shape.schemas,
    },
  );
  return writeJson(document);
}

/** Starts a deployment of tasks; `fault` changes what it answers. */
export async function startTasks(
  shape: TaskShape,
  fault: (reply: Reply, asked: AskedRequest, tasks: Task[]) => Reply = (reply) => reply,
): Promise<string> {
  const { ids = 'integer', envelope, itemIn, paging, created = 201, seeds = 4 } = shape;
  const key = keyOf(shape);
  let tasks: Task[] = [];
  let count = 0;
  const add = (sent: Row): Task => {
    count += 1;
    const id = {
      integer: count,
      uuid: randomUUID(),
      text: `t${randomUUID().slice(0, 8)}`,
      name: undefined,
    }[ids];
    const made = Date.now();
    const task = {
      ...{ title: '', done: false, note: '' },
      ...sent,
      ...(id !== undefined && { id }),
      created_at: new Date(made).toISOString(),
      made,
    };
    tasks.push(task);
    return task;
  };
  for (let seed = 0; seed < seeds; seed++)
    Object.assign(add({ title: `seed-${seed}`, note: `note ${seed}`, done: seed % 2 === 1 }), {
      made: 0,
      created_at: new Date(Date.UTC(2020, 0, seed + 1)).toISOString(),
    });
  const isValid = (sent: Row | undefined): sent is Row =>
    typeof sent?.title === 'string' &&
    sent.title !== '' &&
    ['note', 'assignee'].every((name) =>
      ['string', 'undefined'].includes(typeof (sent[name] ?? undefined)),
    ) &&
    ['boolean', 'undefined'].includes(typeof sent.done) &&
    isSet(sent.labels ?? []);
  const answer = (asked: AskedRequest): Reply => {
    const { method, segments, query, sent } = asked;
    const show = (task: Task) => {
      const { made: _, ...row } = shape.show?.(task, asked) ?? task;
      return row;
    };
    const wrap = (task: Task) => (itemIn ? { [itemIn]: show(task) } : show(task));
    const segment = segments[1] && decodeURIComponent(segments[1]);
    if (!segment && method === 'POST') {
      if (!isValid(sent)) return { status: 400 };
      if (ids === 'name' && tasks.some(({ title }) => title === sent.title)) return { status: 400 };
      return { status: created, body: wrap(add(sent)) };
    }
    if (!segment && method === 'GET') {
      const { late = 0, latest = Number.POSITIVE_INFINITY } = shape;
      let all = tasks.filter(({ made }) => Date.now() - made >= late);
      if (shape.newestFirst || shape.latest) all = all.toReversed();
      all = shape.listed?.(all, query) ?? all;
      const start = Number(query.get('offset') ?? query.get('cursor') ?? 0);
      const size = paging ? Number(query.get('limit') ?? 20) : all.length;
      const shown = all.slice(start, start + Math.min(size, latest)).map(show);
      const next = start + size < all.length ? String(start + size) : null;
      return {
        status: 200,
        body: envelope ? { [envelope]: shown, ...(paging === 'cursor' && { next }) } : shown,
      };
    }
    const found = tasks.find((task) => String(task[key]).toLowerCase() === segment?.toLowerCase());
    if (segment && ids === 'integer' && !/^\d+$/.test(segment)) return { status: 400 };
    if (segment && ids === 'uuid' && !/^[0-9a-f-]{36}$/i.test(segment)) return { status: 400 };
    if (segment && shape.isFormless && ids === 'text' && segment.length !== 9)
      return { status: 400 };
    if (!found) return { status: 404 };
    if (method === 'DELETE') {
      tasks = tasks.filter((one) => one !== found);
      return { status: 204 };
    }
    if (method === 'PUT') {
      if (!isValid(sent)) return { status: 400 };
      const { id, created_at } = found;
      Object.assign(found, { note: '', done: false }, sent, { created_at }, id ? { id } : {});
    }
    return { status: 200, body: wrap(found) };
  };
  return startServer((asked) => fault(answer(asked), asked, tasks));
}

import { expect, it } from 'vitest';
import type { AskedRequest, Reply } from '../../support/start-server.ts';
import { startTasks, type Task, type TaskShape, writeTasks } from '../../support/tasks.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

type Fault = (reply: Reply, asked: AskedRequest, tasks: Task[]) => Reply;

/** Returns the findings of a run on tasks, and the verdict of the check. */
async function findIn(shape: TaskShape, fault?: Fault) {
  const url = await startTasks(shape, fault);
  const report = await verifyWrites(url, await writeTasks(shape), {
    only: ['defaults', 'reliable-answers'],
  });
  const found = report.findings.map(({ check, verdict, message }) => [check, verdict, message]);
  return { found, clause: report.clauses.find(({ id }) => id === 'defaults') };
}

const done = { queries: ['done:Done'], schemas: { Done: { type: 'boolean', default: false } } };
const byDone =
  (byDefault?: string): NonNullable<TaskShape['listed']> =>
  (tasks, query) => {
    const wanted = query.get('done') ?? byDefault;
    return tasks.filter((one) => wanted === undefined || String(one.done) === wanted);
  };
const withDefault = (member: string, schema: object, value?: unknown): TaskShape => ({
  properties: { [member]: schema },
  show: (task) => ({ ...(value !== undefined && { [member]: value }), ...task }),
});
const colour = { type: 'string', default: 'red' };
let calls = 0;

it.each<[name: string, shape: TaskShape, verdict: string | undefined]>([
  ['filters by its default', { ...done, listed: byDone('false') }, 'kept'],
  [
    'has no default at all, as its document says',
    { queries: ['done:bool'], listed: byDone() },
    undefined,
  ],
  [
    'lists a choice of its own each time',
    { ...done, seeds: 8, listed: (tasks) => tasks.toSpliced(calls++ % 5, 1) },
    'vacuous',
  ],
  ['pages by its default', { paging: 'offset', seeds: 30 }, 'kept'],
  ['shows the default', withDefault('colour', colour, 'red'), 'kept'],
  ['shows the default in capitals', withDefault('colour', colour, 'RED'), 'kept'],
  ['shows no default', withDefault('colour', colour), 'vacuous'],
  ['shows null', withDefault('colour', { ...colour, type: ['string', 'null'] }, null), 'vacuous'],
  [
    'computes a value, as its document says',
    withDefault('colour', { ...colour, description: 'Derived from the title.' }, 'blue'),
    'vacuous',
  ],
  [
    'gives some items another value',
    {
      properties: { colour },
      show: (task) => ({ colour: String(task.title).includes('only') ? 'red' : 'blue', ...task }),
    },
    'kept',
  ],
])('blames no deployment that %s', async (_, shape, verdict) => {
  const { found, clause } = await findIn(shape);
  expect(found).toEqual([]);
  expect(clause?.results.target?.verdict).toBe(verdict);
});

it.each<[name: string, shape: TaskShape, verdict: string, message: string]>([
  [
    'filters by another default',
    { ...done, listed: byDone('true') },
    'drift',
    'list shows other items without "done" than with its default',
  ],
  [
    'filters by no default',
    { ...done, listed: byDone() },
    'drift',
    'list shows other items without "done" than with its default',
  ],
  [
    'gives items another value',
    withDefault('colour', colour, 'blue'),
    'drift',
    'add leaves out "colour", and the item does not have its default',
  ],
  [
    'gives items another number',
    withDefault('weight', { type: 'integer', default: 3 }, 0),
    'drift',
    'add leaves out "weight", and the item does not have its default',
  ],
  [
    'gives items another state',
    withDefault('status', { type: 'string', default: 'new' }, 'open'),
    'undocumented',
    'add leaves out "status", and the item does not have its default',
  ],
])('reports that a deployment %s', async (_, shape, verdict, message) => {
  expect((await findIn(shape)).found).toContainEqual(['defaults', verdict, message]);
});

it('reports a page that is shorter without a limit than with the default', async () => {
  const shape: TaskShape = { paging: 'offset', seeds: 30 };
  const { found } = await findIn(shape, (reply, { method, segments, query }) =>
    method === 'GET' && segments.length === 1 && !query.has('limit')
      ? { ...reply, body: (reply.body as unknown[]).slice(0, 10) }
      : reply,
  );
  const message = 'list shows other items without "limit" than with its default';
  expect(found).toContainEqual(['defaults', 'drift', message]);
});

import { expect, it } from 'vitest';
import { toDocument } from '../../support/serve-document.ts';
import { collection, Deployment } from '../../support/shared-deployment.ts';
import type { AskedRequest } from '../../support/start-server.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

type Habits = {
  /** The statuses of a change that the document describes, besides 200 and 404. */
  described?: readonly (number | string)[];
  /** Whether the document describes If-Match, and as required. */
  isTaken?: boolean;
  isRequired?: boolean;
  toTag?: (version: number) => string;
  /** Whether deletions are prevented, too, and not changes. */
  isDeleted?: boolean;
  /** The status of a refused change. */
  refuse?: (tag: string | undefined, current: string) => number | undefined;
};

const strict: Required<Habits>['refuse'] = (tag, current) =>
  tag === undefined ? 428 : tag === current ? undefined : 412;

async function findIn({
  described = [412, 428],
  isTaken = true,
  isRequired = false,
  toTag = (version) => `"${version}"`,
  refuse = strict,
  isDeleted = false,
}: Habits) {
  const versions = new Map<string, number>();
  const steps: string[] = [];
  const deployment = new Deployment('/docs');
  const versionOf = (path: string) => versions.get(path) ?? 1;
  const url = await deployment.start((asked: AskedRequest) => {
    const { method, path, headers, sent } = asked;
    if (!deployment.items.has(path)) return undefined;
    const current = toTag(versionOf(path));
    const tag = headers['if-match'];
    if (method === 'GET') return { ...deployment.answer(asked), headers: { etag: current } };
    const isDeletion = method === 'DELETE' && isDeleted;
    if (method !== 'PATCH' && !isDeletion) return undefined;
    if (isDeletion ? tag !== undefined : JSON.stringify(sent).includes('version'))
      steps.push(tag === undefined ? 'none' : tag === current ? 'current' : 'stale');
    const status = refuse(tag, current);
    if (status !== undefined && !(isDeletion && tag === undefined)) return { status };
    if (isDeletion) return undefined;
    versions.set(path, versionOf(path) + 1);
    return undefined;
  });
  const paths = collection('/docs');
  const { patch: update, delete: remove } = paths['/docs/{id}'] as unknown as Record<
    'patch' | 'delete',
    Record<string, object>
  >;
  const patch = isDeleted ? remove : update;
  const statuses = described.map((status) => [status, { description: 'Refused.' }]);
  Object.assign(patch.responses ?? {}, Object.fromEntries(statuses));
  const schema = { type: 'string' };
  const parameters = [{ name: 'if-match', in: 'header', required: isRequired, schema }];
  if (isTaken) Object.assign(patch, { parameters });
  const report = await verifyWrites(url, toDocument(paths));
  const found = report.findings.filter(({ check }) => check === 'preconditions');
  return {
    steps,
    found: found.map(({ verdict, message }) => [verdict, message]),
    verdict: report.clauses.find(({ id }) => id === 'preconditions')?.results.target?.verdict,
  };
}

const open = () => undefined;
it.each<[name: string, habits: Habits, steps: string[]]>([
  ['compares ETags', {}, ['current', 'stale', 'none']],
  ['takes If-Match, and refuses nothing', { described: [], refuse: open }, ['current']],
  ['needs If-Match', { isRequired: true }, ['current', 'stale']],
  ['describes 412 alone', { described: [412], isTaken: false }, ['current', 'stale']],
  ['keeps its ETag', { toTag: () => '"1"', described: [412] }, ['current']],
  ['compares ETags of deletions', { isDeleted: true, described: [412] }, ['stale', 'current']],
  ['has weak ETags', { toTag: (version) => `W/"${version}"`, refuse: open }, []],
])('blames no deployment that %s', async (_, habits, steps) => {
  const verdict = steps.length > 0 ? 'kept' : 'vacuous';
  expect(await findIn(habits)).toEqual({ steps, found: [], verdict });
});

const of = 'PATCH /docs/{id} answers';
it.each<[name: string, refuse: Habits['refuse'], message: string]>([
  ['refuses each change', () => 412, `${of} 412 to a change with the ETag that was just read`],
  [
    'ignores an older ETag',
    (tag) => (tag === undefined ? 428 : undefined),
    `${of} 200 to a change with the ETag of another version`,
  ],
  [
    'needs no ETag',
    (tag, current) => (tag && tag !== current ? 412 : undefined),
    `${of} 200 to a change without If-Match`,
  ],
])('reports that a deployment %s', async (_, refuse = strict, message) => {
  expect((await findIn({ refuse })).found).toEqual([['drift', message]]);
});

it('reports that a deployment deletes by an ETag that the item never had', async () => {
  const { found } = await findIn({ isDeleted: true, described: [412], refuse: open });
  const message = `DELETE /docs/{id} answers 204 to a deletion with the ETag of another version`;
  expect(found).toEqual([['drift', message]]);
});

it('judges no ETags where a document describes other errors alone', async () => {
  const habits = { described: ['default', '4XX'], isTaken: false, refuse: open };
  expect(await findIn(habits)).toEqual({ steps: [], found: [], verdict: undefined });
});

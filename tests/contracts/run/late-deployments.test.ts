import { expect, it, onTestFinished } from 'vitest';
import { readRunOptions } from '../../../contracts/command/parse-options.ts';
import { builtInDocument, loadDocument } from '../../../contracts/description/document.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { verify } from '../../../contracts/verify/verify.ts';
import { type DeploymentOptions, openDeployment } from '../../../tools/lab/deployment.ts';
import { fair } from '../../../tools/lab/fair.ts';

async function verifyLate(options: DeploymentOptions, only: string[]): Promise<Report> {
  const deployment = await openDeployment(options);
  onTestFinished(() => deployment.close());
  const keys = [
    { plan: 'free', secret: 'k-free-1' },
    { plan: 'free', secret: 'k-free-2' },
    { plan: 'pro', secret: 'k-pro-1' },
  ];
  return verify({
    document: await loadDocument(builtInDocument),
    targets: [
      { name: 'target', url: deployment.url, keys, writes: true, probeLimits: false, fill: true },
    ],
    ...readRunOptions({ only, wait: 0 }),
    onEvent: () => {},
  });
}

const resultOf = ({ clauses }: Report, id: string) =>
  clauses.find((clause) => clause.id === id)?.results.target;

it('looks for created items again where lists were late before, though the last one was not', async () => {
  const created = new Set<unknown>();
  const report = await verifyLate(
    {
      mutate: (truth) => ({
        create: (body, call) => {
          const item = truth.create(body, call);
          created.add(item.id);
          return item;
        },
        list: (query, call) =>
          call.number > 60
            ? truth.list(query, call)
            : truth.list(query, call).filter(({ id }) => !created.has(id)),
      }),
    },
    ['listed-when-created'],
  );
  expect(resultOf(report, 'listed-when-created')).toMatchObject({ verdict: 'kept' });
}, 60_000);

it('asks for the whole list again where a deployment turns out to be late in the end', async () => {
  const created = new Set<unknown>();
  const late = new Map<unknown, number>();
  let [isReadBack, isFilled] = [false, false];
  const report = await verifyLate(
    {
      mutate: (truth) => ({
        create: (body, call) => {
          const item = truth.create(body, call);
          created.add(String(item.id));
          if (isReadBack) late.set(item.id, Date.now());
          isFilled ||= String(body.name).startsWith('top-up');
          return item;
        },
        read: (id, call) => {
          isReadBack ||= created.has(id);
          return truth.read(id, call);
        },
        list: (query, call) =>
          truth
            .list(query, call)
            .filter(({ id }) => isFilled || Date.now() - (late.get(id) ?? 0) > 1500),
      }),
    },
    ['listed-when-created'],
  );
  expect(resultOf(report, 'listed-when-created')).toMatchObject({ verdict: 'kept' });
}, 60_000);

it('asks for the whole list again where only what was added last shows that it is late', async () => {
  const added = new Map<unknown, number>();
  const report = await verifyLate(
    {
      mutate: (truth) => ({
        create: (body, call) => {
          const item = truth.create(body, call);
          if (String(body.name).startsWith('top-up')) added.set(item.id, Date.now());
          return item;
        },
        list: (query, call) =>
          truth.list(query, call).filter(({ id }) => Date.now() - (added.get(id) ?? 0) > 300),
      }),
    },
    ['listed-when-created'],
  );
  expect(resultOf(report, 'listed-when-created')).toMatchObject({ verdict: 'kept' });
}, 60_000);

it('tells the largest page of a deployment that shows created items later', async () => {
  const { mutate } = fair.find(({ id }) => id === 'fair-seen-half-a-second-later') ?? {};
  const report = await verifyLate({ ...(mutate && { mutate }) }, ['page-size']);
  expect(resultOf(report, 'page-size')).toMatchObject({ verdict: 'kept' });
}, 60_000);

it('gives a deployment that was never late a moment to list what was added last', async () => {
  const added = new Map<unknown, number>();
  const report = await verifyLate(
    {
      mutate: (truth) => ({
        create: (body, call) => {
          const item = truth.create(body, call);
          if (String(body.name).startsWith('top-up')) added.set(item.id, Date.now());
          return item;
        },
        list: (query, call) =>
          truth
            .list(query, call)
            .filter(
              ({ id }) => query.status === undefined || Date.now() - (added.get(id) ?? 0) > 300,
            ),
      }),
    },
    ['page-size'],
  );
  expect(resultOf(report, 'page-size')).toMatchObject({ verdict: 'kept' });
}, 60_000);

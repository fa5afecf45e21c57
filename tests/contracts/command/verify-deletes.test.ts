import { expect, it } from 'vitest';
import {
  type Article,
  type Description,
  type Habits,
  verifyArticles,
} from '../../support/articles.ts';
import { foundIn, keptBy, resultOf } from '../../support/verify-writes.ts';

const state = { enum: ['active', 'archived', 'cancelled', 'published'] };
const described: Description = {
  properties: { title: { type: 'string' }, phase: state },
  required: ['title'],
};

async function findIn(habits: Habits, description = described) {
  const report = await verifyArticles(habits, description);
  const { verdict, reason } = resultOf(report, 'deleted') ?? {};
  return { found: foundIn(report), verdict, reason };
}

it('leaves open whether an item is deleted that is shown otherwise than before', async () => {
  const marks: readonly Article[] = [{ deleted: true }, { status: { state: 'expired' } }];
  const remove = (mark: Article) => (article: Article) => ({ ...article, ...mark });
  const reports = await Promise.all(marks.map((mark) => findIn({ remove: remove(mark) })));
  const reason =
    'read still shows an item that remove deleted, but not as it was before: it may be marked as deleted';
  expect(reports).toEqual(marks.map(() => ({ found: [], verdict: 'inconclusive', reason })));
});

it('takes a new item for no deleted one, though it has the same id', async () => {
  const { found, verdict } = await findIn({ reusesIds: true });
  expect([found, verdict]).toEqual([[], 'kept']);
});

it('finds an item that is there unchanged, also where the deletion answers with it', async () => {
  const remove = (article: Article) => article;
  const reports = await Promise.all(
    [true, false].map((answersDeletion) => findIn({ remove, answersDeletion })),
  );
  const found = [['deleted', 'drift', 'read answers 200 for an item that remove deleted']];
  expect(reports.map((one) => one.found)).toEqual([found, found]);
});

it('finds an item that is there, of which times and counts alone move by themselves', async () => {
  let time = Date.parse('2030-01-01');
  const show = (article: Article) => ({
    ...article,
    worker: { seen: new Date((time += 1000)).toISOString(), views: time / 1000 },
  });
  const seen = { type: 'string', format: 'date-time' };
  const worker = { type: 'object', properties: { seen, views: { type: 'integer' } } };
  const moving = { ...described, properties: { ...described.properties, worker } };
  const find = (remove: (article: Article) => Article) => findIn({ show, remove }, moving);
  const [unchanged, marked] = await Promise.all([
    find((article) => article),
    find((article) => ({ ...article, phase: 'cancelled' })),
  ]);
  const message = 'read answers 200 for an item that remove deleted';
  expect(unchanged?.found).toEqual([['deleted', 'drift', message]]);
  expect([marked?.found, marked?.verdict]).toEqual([[], 'inconclusive']);
});

const description = { properties: { title: { type: 'string' } }, required: ['title'] };

const verifyLate = (late: Habits['late'] & object) =>
  verifyArticles({ late, seeds: [{ title: 'first' }] }, description);

it('changes items of a deployment that finds new ones a moment later', async () => {
  const report = await verifyLate({ found: 300 });
  expect(report.findings).toEqual([]);
  expect(keptBy(report)).toEqual(expect.arrayContaining(['replaced', 'merge-patch', 'deleted']));
});

it('blames no deployment that can change new items only a moment later', async () => {
  const { findings } = await verifyLate({ changed: 300 });
  expect(findings).toEqual([]);
});

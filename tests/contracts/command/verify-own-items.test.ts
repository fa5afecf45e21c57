import { expect, it } from 'vitest';
import {
  type Article,
  type Description,
  type Habits,
  startArticles,
  writeArticles,
} from '../../support/articles.ts';
import { foundIn, verify, verifyWrites } from '../../support/verify-writes.ts';

const text = { type: 'string' };
const description: Description = {
  properties: { title: { type: 'string' }, color: { enum: ['red', 'blue'] } },
  required: ['title', 'color'],
};
const seeds = [
  { title: 'Ours', color: 'red' },
  { title: 'Theirs', color: 'blue' },
];

/** Verifies a deployment of articles, and tells what it changed there and what it reports. */
async function verifyArticles(habits: Habits, described = description) {
  const changed: Article[] = [];
  const url = await startArticles(described, {
    ...habits,
    onChange: (article) => changed.push(article),
  });
  const report = await verifyWrites(url, await writeArticles(described));
  const left = (await (await fetch(`${url}/articles`)).json()) as Article[];
  return { report, changed, left };
}

it('changes and deletes no item that was there before, though a create answers with it', async () => {
  const { report, changed, left } = await verifyArticles({
    seeds,
    isSame: (article, sent) => article.color === sent.color,
  });
  expect(changed).toEqual([]);
  expect(left).toHaveLength(2);
  expect(report.residue).toEqual([]);
  expect(report.leftAlone?.[0]?.reason).toBe('it was there before, and may have been overwritten');
});

it('takes no item for its own that does not show what was sent, though no list shows it', async () => {
  const { report, changed } = await verifyArticles({
    ...{ seeds: [{ title: 'Hidden', color: 'red' }], isListed: () => false },
    isSame: ({ title }) => title === 'Hidden',
  });
  expect(changed).toEqual([]);
  expect(report.residue).toEqual([]);
  expect(report.leftAlone?.map(({ id }) => id)).toEqual(['1']);
});

it('takes no item for its own that says that it was created before the run', async () => {
  const { report, changed } = await verifyArticles({
    create: (sent) => ({ ...sent, createdAt: '2020-01-01T00:00:00Z' }),
  });
  expect(changed).toEqual([]);
  expect(report.leftAlone?.[0]?.reason).toMatch(/^it says that it was created at 2020-01-01/);
});

it('deletes what it created, though a create answers with it again', async () => {
  const { report, changed, left } = await verifyArticles({
    isSame: (article, sent) => article.title === sent.title,
  });
  expect(new Set(changed.map(({ id }) => id)).size).toBeGreaterThan(1);
  expect([left, report.residue, report.leftAlone]).toEqual([[], [], []]);
});

it('deletes what it created last, though that has the id of an item that it deleted', async () => {
  const { report, left } = await verifyArticles({ reusesIds: true });
  expect([left, report.residue]).toEqual([[], []]);
});

it('creates nothing that it could not tell from the items of others', async () => {
  const colors: Description = { properties: { color: { enum: ['red'] } }, required: ['color'] };
  const { report, changed, left } = await verifyArticles({}, colors);
  expect([left, changed, report.residue]).toEqual([[], [], []]);
});

it('changes nothing without --allow-writes, on loopback too', async () => {
  const url = await startArticles(description, { seeds });
  const report = await verify({
    ...{ twin: false, target: { url, keys: [] }, spec: await writeArticles(description) },
  });
  expect(report.notCalled.map(({ operation, reason }) => [operation, reason])).toEqual(
    ['add', 'put', 'remove', 'patch'].map((operation) => [
      operation,
      'it may change something, and --allow-writes was not given, or --read-only was',
    ]),
  );
  expect(await (await fetch(`${url}/articles`)).json()).toHaveLength(2);
});

it('stops creating what nothing proves to be its own, and says so', async () => {
  const titles: unknown[] = [];
  const create = (sent: Article) => {
    titles.push(sent.title);
    return sent;
  };
  await verifyArticles({ create });
  const usual = titles.splice(0).length;
  const { report, left } = await verifyArticles({ create, show: () => ({ id: 77, title: 'No.' }) });
  expect(usual).toBeGreaterThan(5);
  expect(titles).toHaveLength(5);
  expect(left).toHaveLength(5);
  expect(report.residue).toHaveLength(5);
});

it('finds that reads give another item than the one whose id a create answered with', async () => {
  const { report, changed } = await verifyArticles({
    seeds,
    answerCreate: ({ id }) => ({ articleId: id }),
    show: (_, [first]) => first,
  });
  const found = report.findings.map(({ check, message }) => `${check}: ${message}`);
  expect(found).toContain('read-back: read answers with a different item than the one requested');
  expect(changed).toEqual([]);
});

it.each([0, 1, 40])('finds that creates store nothing beside %i items of others', async (count) => {
  const others = Array.from({ length: count }, (_, index) => ({ title: `${index}`, color: 'red' }));
  const isStored = ({ title }: Article) => others.some((one) => one.title === title);
  const { report } = await verifyArticles({
    ...{ seeds: others, isListed: isStored },
    show: (article) => (isStored(article) ? article : undefined),
  });
  expect(foundIn(report).filter(([, verdict]) => verdict === 'drift')).toEqual([
    ['read-back', 'drift', 'a created item is not found again by its id'],
  ]);
});

it('sends no null that an item of others shows where it has no value', async () => {
  const bodies: (Record<string, unknown> | undefined)[] = [];
  let lists = 0;
  const described = { ...description, properties: { ...description.properties, note: text } };
  const show = (article: Article) => ({
    ...{ note: null, ...article },
    // Somebody else changes it once.
    ...(article.title === 'Ours' && lists > 3 && { color: 'blue' }),
  });
  await verifyArticles(
    {
      ...{ seeds, show },
      list: (page) => {
        lists += 1;
        return page.map(show);
      },
      refuse: ({ method, sent }) => {
        if (method === 'POST') bodies.push(sent);
        return undefined;
      },
    },
    described,
  );
  const fresh = bodies.filter((sent) => String(sent?.title).startsWith('fresh'));
  expect(fresh.length).toBeGreaterThan(0);
  expect(fresh.filter((sent) => sent?.note === null)).toEqual([]);
});

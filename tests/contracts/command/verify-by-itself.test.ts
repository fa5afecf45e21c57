import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import {
  type Article,
  type Description,
  type Habits,
  startArticles,
  verifyArticles,
  writeArticles,
} from '../../support/articles.ts';
import { foundIn, keptBy, verify } from '../../support/verify-writes.ts';
import { writeJson } from '../../support/write-json.ts';

const text = { type: 'string' };
const color = { enum: ['red', 'green', 'blue'] };
const limit = { type: 'integer', minimum: 1, maximum: 100 };
const queries = { limit, color, pinned: { type: 'boolean' } };
const described: Description = {
  properties: { title: text, note: text, color, pinned: queries.pinned },
  required: ['title'],
  mediaType: 'application/json',
  parameters: Object.entries(queries).map(([name, schema]) => ({ name, in: 'query', schema })),
};
/** The colors are those that the list can be asked for. */
const plain = { ...described, properties: { ...described.properties, color: text } };
const seeds = [
  { title: 'first', note: 'one', color: 'red', pinned: true },
  { title: 'second', note: 'two', color: 'blue', pinned: false },
  { title: 'third', note: 'three', color: 'green', pinned: true },
];

const fits = (article: Article, query: URLSearchParams, name: string) =>
  !query.has(name) || String(article[name]) === query.get(name);
const right: Habits = {
  seeds,
  isListed: (article, query) => fits(article, query, 'color') && fits(article, query, 'pinned'),
};

async function findIn(habits: Habits, description = described) {
  const report = await verifyArticles({ ...right, ...habits }, description);
  return { found: foundIn(report), report };
}

it('holds a document that words no clause to what it describes', async () => {
  const { found, report } = await findIn({});
  expect(found).toEqual([]);
  const ids = ['page-size', 'filter', 'read-back', 'listed-when-created'];
  expect(keptBy(report)).toEqual(expect.arrayContaining(ids));
  const clauses = report.clauses.filter(({ id }) => ids.includes(id));
  expect(clauses.map(({ id, basis, source }) => [id, basis, source])).toEqual(
    ids.map((id) => [id, 'stated', '#/paths']),
  );
});

const without = (name: string) => (article: Article) => {
  const { [name]: _, ...rest } = article;
  return rest;
};
const isLast = ({ id }: Article, all: readonly Article[]) => id === all.at(-1)?.id;

const titles = { ...described, properties: { title: text } };
const isSeed = ({ title }: Article) => seeds.some((seed) => seed.title === title);

let moves = 0;
const isFirst = ({ title }: Article) => title === 'first';
/** Shows each color for a few lists. */
const moved = (one: Article) => ({ ...one, color: color.enum[Math.trunc(moves++ / 5) % 3] });

const broken: Record<string, [check: string, message: string, Habits, Description?]> = {
  'lists an item twice': [
    'unique-ids',
    'list lists the same item twice',
    { list: (page, query) => limited([...page.slice(0, 1), ...page], query) },
  ],
  'shows its first item alone': [
    'listed-when-created',
    'a created item is missing from the list',
    { isListed: () => true, list: (page) => page.slice(0, 1) },
    titles,
  ],
  'reads others for what it creates': [
    'read-back',
    'read answers with a different item than the one requested',
    { show: (article, all) => (isSeed(article) ? article : all[0]) },
    titles,
  ],
  'shows no text of what it creates': [
    'read-back',
    'read shows no "title", though the create sent one',
    { show: (article) => (isSeed(article) ? article : { ...article, title: '' }) },
    titles,
  ],
  'drops a value': [
    'read-back',
    'read shows no "note", though the create sent one',
    { create: without('note'), seeds: [...seeds, { ...seeds[0], pinned: false }] },
  ],
  'shows null for a value': [
    'read-back',
    'read shows no "note", though the create sent one',
    { show: (article) => ({ ...article, note: null }) },
  ],
  'shows the value of another item': [
    'read-back',
    'read shows the "title" of another item, though the create sent one',
    { show: (article, all) => ({ ...article, title: all[5]?.title }) },
  ],
  'shows another item': [
    'read-back',
    'read answers with a different item than the one requested',
    { show: (article, all) => all[4] ?? article },
  ],
  'does not find a new item': [
    'success-status',
    'read answers 404 to a valid call',
    { show: (article, all) => (isLast(article, all.slice(0, 3)) ? article : undefined) },
  ],
  'ignores the limit': [
    'page-size',
    'list lists more items than the limit that was sent',
    { list: (page) => page },
  ],
  'ignores a filter by listed values': [
    'filter',
    'list lists items that its filter excludes',
    { isListed: (article, query) => fits(article, query, 'pinned') },
  ],
  'ignores a filter by values that the parameter alone lists': [
    'filter',
    'list lists items that its filter excludes',
    { isListed: (article, query) => fits(article, query, 'pinned') },
    plain,
  ],
  'ignores a filter while an item moves on to another value': [
    'filter',
    'list lists items that its filter excludes',
    {
      isListed: (article, query) => fits(article, query, 'pinned'),
      list: (page, query) => limited(page, query).map((one) => (isFirst(one) ? moved(one) : one)),
    },
    plain,
  ],
  'ignores a filter by a boolean': [
    'filter',
    'list lists items that its filter excludes',
    { isListed: (article, query) => fits(article, query, 'color') },
  ],
  'leaves out the last item': [
    'listed-when-created',
    'a created item is missing from the list',
    { isListed: () => true, list: (page, query) => limited(page.slice(0, -1), query) },
  ],
};

it('finds what a deployment breaks', { timeout: 60_000 }, async () => {
  const rows = Object.entries(broken).map(async ([name, [check, message, ...row]]) => {
    const { found } = await findIn(...row);
    return [name, found.find((one) => one[0] === check && one[2] === message)?.[1]];
  });
  expect(await Promise.all(rows)).toEqual(Object.keys(broken).map((name) => [name, 'drift']));
});

function limited(page: readonly Article[], query: URLSearchParams): readonly Article[] {
  return page.slice(0, Number(query.get('limit') ?? page.length));
}

it('takes a text that two creates sent for that of neither other item', async () => {
  // A deletion without a key is taken for one, so that another item is made like the first.
  const url = await startArticles(described, { ...right, remove: (article) => article });
  const document = JSON.parse(await readFile(await writeArticles(described), 'utf8'));
  const key = { type: 'apiKey', in: 'header', name: 'X-Key' };
  const spec = await writeJson({
    ...document,
    components: { ...document.components, securitySchemes: { key } },
    security: [{ key: [] }],
  });
  const target = { url, keys: ['some-key'] };
  const { findings } = await verify({ allowWrites: true, target, twin: false, spec });
  const found = findings.filter(({ check }) => ['deleted', 'read-back'].includes(check));
  expect(found.map(({ check, operation }) => [check, operation])).toEqual([['deleted', 'read']]);
});

const drafts = { ...described, properties: { ...described.properties, state: text } };
const fair: Record<string, Habits | [Habits, Description]> = {
  'trims, shortens and lowers texts': {
    create: ({ title, ...rest }) => ({
      ...rest,
      title: String(title).trim().toLowerCase().slice(0, 20),
    }),
  },
  'keeps a text to itself': { create: without('note'), seeds: [] },
  'takes a text for items of one kind alone': [
    {
      create: (sent) => (sent.color === 'blue' ? sent : without('note')(sent)),
      update: (stored) => ({ ...stored, color: 'blue', note: 'more' }),
      seeds: seeds.slice(1, 2),
    },
    { ...described, patched: ['note'] },
  ],
  'shows pinned items besides others where it is asked for pinned ones': {
    isListed: (article, query) =>
      fits(article, query, 'color') && (query.get('pinned') !== 'false' || !article.pinned),
  },
  'takes a color for all from there on': {
    isListed: (article, query) =>
      fits(article, query, 'pinned') &&
      color.enum.indexOf(String(article.color)) >= color.enum.indexOf(query.get('color') ?? 'red'),
  },
  'shows some items in the color that is asked for': [
    {
      isListed: (article, query) => fits(article, query, 'pinned'),
      list: (page, query) =>
        limited(page, query).map((article) =>
          Number(article.id) > 2 ? { ...article, color: query.get('color') ?? 'red' } : article,
        ),
    },
    plain,
  ],
  'lists no drafts, and makes each new item one': [
    {
      create: (sent) => ({ ...sent, state: 'draft' }),
      isListed: (article, query) =>
        article.state !== 'draft' && ['color', 'pinned'].every((one) => fits(article, query, one)),
    },
    drafts,
  ],
  'shows ten items at most': { list: (page, query) => limited(page.slice(0, 10), query) },
  'shows the ten newest items': { list: (page, query) => limited(page.slice(-10), query) },
  'lists no pinned items unless it is asked for them': {
    isListed: (article, query) => String(article.pinned) === (query.get('pinned') ?? 'false'),
  },
};

it('blames no deployment for what is left to it', { timeout: 60_000 }, async () => {
  const rows = Object.entries(fair).map(async ([name, row]) => {
    const { found } = await (Array.isArray(row) ? findIn(...row) : findIn(row));
    return [name, found.filter(([, verdict]) => verdict === 'drift')];
  });
  expect(await Promise.all(rows)).toEqual(Object.keys(fair).map((name) => [name, []]));
});

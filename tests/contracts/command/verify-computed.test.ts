import { expect, it } from 'vitest';
import {
  type Article,
  type Description,
  type Habits,
  verifyArticles,
} from '../../support/articles.ts';
import { foundIn } from '../../support/verify-writes.ts';

const text = { type: 'string' };
const state = { enum: ['draft', 'review', 'published'] };
const merge = 'application/merge-patch+json';
const plain = 'application/json';

type Row = Description & { habits: Habits };

async function findIn({ habits, ...description }: Row, mediaType = merge) {
  return foundIn(await verifyArticles(habits, { ...description, mediaType }));
}

const slugOf = ({ title }: Article) => String(title).toLowerCase().replaceAll(/\W+/g, '-');
const withSlug = (article: Article) => ({ ...article, slug: slugOf(article) });
/** Keeps what the server has of one property, whatever is sent. */
const keeping = (name: string) => (stored: Article, sent: Article) => ({
  ...sent,
  [name]: stored[name],
});

const fair: Record<string, Row> = {
  'a slug of the title': {
    properties: { slug: text, title: text },
    required: ['slug', 'title'],
    habits: {
      create: withSlug,
      replace: (_, sent) => withSlug(sent),
      update: (stored, sent) => withSlug({ ...stored, ...sent }),
    },
  },
  'a slug that it was created with until the title changes': {
    properties: { title: text, slug: text },
    required: ['title'],
    habits: {
      update: (stored, sent) =>
        sent.title === undefined ? { ...stored, ...sent } : withSlug({ ...stored, ...sent }),
    },
  },
  'states that follow each other': {
    properties: { status: state, title: text },
    required: ['title'],
    habits: {
      create: (sent) => ({ ...sent, status: 'draft' }),
      replace: keeping('status'),
      update: (stored, sent) => ({ ...stored, ...sent, status: stored.status }),
    },
  },
  'a version of its own': {
    properties: { version: { type: 'integer' }, title: text },
    required: ['version', 'title'],
    habits: {
      create: (sent) => ({ ...sent, version: 1 }),
      replace: (stored, sent) => ({ ...sent, version: Number(stored.version) + 1 }),
      update: (stored, sent) => ({ ...stored, ...sent, version: Number(stored.version) + 1 }),
    },
  },
  'a number that it rounds': {
    properties: { price: { type: 'integer' } },
    required: ['price'],
    habits: {
      create: (sent) => ({ price: Math.round(Number(sent.price) / 10) * 10 }),
      replace: (_, sent) => ({ price: Math.round(Number(sent.price) / 10) * 10 }),
      update: (_, sent) => ({ price: Math.round(Number(sent.price) / 10) * 10 }),
    },
  },
  'what its description says that it computes': {
    properties: { words: { type: 'integer', description: 'Computed from the text.' }, body: text },
    required: ['words', 'body'],
    habits: {
      replace: keeping('words'),
      update: (stored, sent) => ({ ...stored, ...sent, words: stored.words }),
    },
  },
  'a secret that it never shows': {
    properties: { secret: { type: 'string', writeOnly: true }, kind: { enum: ['note'] } },
    required: ['kind'],
    habits: {
      create: ({ secret: _, ...shown }) => shown,
      replace: (_, { secret: __, ...shown }) => shown,
      update: (stored) => stored,
    },
  },
};

it('blames no deployment for what it computes itself', async () => {
  const rows = Object.entries(fair).flatMap(([name, row]) =>
    [merge, plain].map((type) => ({ name: `${name}, ${type}`, row, type })),
  );
  const found = await Promise.all(
    rows.map(async ({ name, row, type }) => [name, await findIn(row, type)]),
  );
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rows.map(({ name }) => [name, []])));
});

const three = { properties: { title: text, note: text, pinned: { type: 'boolean' } } };

it('reports a property that an update leaves as it was, where it changes others, and fails no run', async () => {
  const update = (stored: Article, sent: Article) => ({ ...stored, ...sent, title: stored.title });
  const found = await findIn({ ...three, required: ['title'], habits: { update } });
  expect(found).toEqual([
    ['merge-patch', 'standard', 'patch answers 200, but "title" is as it was'],
  ]);
});

it('reports what a merge patch changes besides, and fails no run for one property of many', async () => {
  const { pinned, ...rest } = three.properties;
  const row = { properties: { ...rest, color: text, pinned }, required: ['title'] };
  const update = (stored: Article, sent: Article) => ({ ...stored, ...sent, color: 'none' });
  expect(await findIn({ ...row, habits: { update } })).toEqual([
    ['merge-patch', 'standard', 'patch changes "color", which the patch does not name'],
  ]);
});

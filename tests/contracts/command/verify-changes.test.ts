import { expect, it } from 'vitest';
import {
  type Article,
  type Description,
  type Habits,
  verifyArticles,
} from '../../support/articles.ts';
import { keptBy } from '../../support/verify-writes.ts';

const described: Description = {
  properties: {
    title: { type: 'string' },
    pinned: { type: 'boolean' },
    color: { enum: ['red', 'blue'] },
  },
  required: ['title'],
  patched: ['color'],
};
const unchanged = (stored: Article) => stored;
const onlyTitle = ({ title }: Article, sent: Article) => ({ title, ...sent });

/** Lists what a deployment does wrong with changes. */
const faults = {
  put: () => ({ replace: unchanged }),
  'put merges': () => ({ replace: (stored, sent) => ({ ...stored, ...sent }) }),
  merge: () => ({ update: unchanged }),
  'merge replaces': () => ({ update: onlyTitle }),
  delete: () => {
    const gone = new Set();
    const remove = (article: Article) => {
      gone.add(article.id);
      return article;
    };
    return { remove, isListed: ({ id }) => !gone.has(id) };
  },
  listed: () => {
    const gone = new Set();
    const remove = (article: Article) => {
      gone.add(article.id);
      return article;
    };
    return { remove, show: (article) => (gone.has(article.id) ? undefined : article) };
  },
  'nothing deleted': () => ({ remove: unchanged }),
} satisfies Record<string, () => Habits>;

/** Lists what a deployment does that nobody forbids. */
const habits = {
  drops: () => ({ create: ({ pinned: _, ...sent }) => ({ color: 'red', ...sent }) }),
  refuses: () => ({
    refuse: ({ method, sent }) =>
      method === 'POST' && sent && 'pinned' in sent && 'color' in sent ? 400 : undefined,
  }),
  defaults: () => ({ replace: (_, sent) => ({ color: 'red', pinned: true, ...sent }) }),
  'holds one': () => ({ replace: ({ color }, sent) => ({ color, ...sent }) }),
  'bounds ids': () => ({
    refuse: ({ segments }) => (Number(segments[1]) > 1000 ? 422 : undefined),
  }),
} satisfies Record<string, () => Habits>;

const usual: Habits = {
  create: (sent) => ({ color: 'red', ...sent }),
  seeds: [{ title: 'first', color: 'red' }],
};

/** Verifies a deployment with a habit, whose updates have a media type. */
const verifyChanges = (mediaType: string, more: Habits = {}, others: object = {}) =>
  verifyArticles({ ...usual, ...more }, { ...described, mediaType, ...others });

const merge = 'application/merge-patch+json';
const json = 'application/json-patch+json';
const plain = 'application/json';
const checkOf: Record<string, string> = {
  [merge]: 'merge-patch',
  [json]: 'json-patch',
  [plain]: 'updated',
};

it.each([merge, json, plain])('finds nothing wrong with changes by %s', async (type) => {
  const report = await verifyChanges(type);
  expect(report.findings).toEqual([]);
  const ids = ['replaced', `${checkOf[type]}`, 'deleted'];
  expect(keptBy(report)).toEqual(expect.arrayContaining(ids));
});

it.each([
  ['put', merge, 'replaced', 'drift', /put answers 200, but "title" is as it was/],
  [
    'put merges',
    merge,
    'replaced',
    'standard',
    /^put answers 200, but what it does not send is as it was: "pinned", "color"$/,
  ],
  ['merge', merge, 'merge-patch', 'drift', /patch answers 200, but "color" is as it was/],
  ['merge replaces', merge, 'merge-patch', 'drift', /^patch changes "pinned", which /],
  ['merge replaces', json, 'json-patch', 'drift', /^patch changes "color", "pinned", which /],
  ['merge', plain, 'updated', 'drift', /patch answers 200, but "color" is as it was/],
  ['merge', json, 'json-patch', 'drift', /200, but "title", "color" are as they were/],
  ['delete', merge, 'deleted', 'drift', /read answers 200 for an item that remove deleted/],
  ['listed', merge, 'deleted', 'standard', /list lists an item that remove deleted/],
] as const)('finds the fault "%s" of changes by %s', async (fault, type, check, verdict, text) => {
  const { findings } = await verifyChanges(type, faults[fault]());
  expect(findings.map((one) => [one.check, one.verdict])).toEqual([[check, verdict]]);
  expect(findings[0]?.message).toMatch(text);
});

it.each(Object.entries(habits))('blames no deployment that %s what it may', async (_, habit) => {
  const report = await verifyChanges(merge, habit(), { maximum: 1000 });
  expect(report.findings).toEqual([]);
  expect(keptBy(report)).toContain('replaced');
});

it.each([
  ['delete', 'Archives a note', '404', 'standard'],
  // No list shows the item, so it may be deleted.
  ['delete', 'Deletes a note', 'default', 'standard'],
  ['delete', 'Deletes a note', '410', 'drift'],
  ['nothing deleted', 'Deletes a note', 'default', 'drift'],
  ['nothing deleted', 'Deletes one of the notes that it queues', 'default', 'standard'],
] as const)('takes "%s" of "%s" with a read that documents %s for %s', async (fault, ...row) => {
  const [summary, missing, verdict] = row;
  const { findings } = await verifyChanges(merge, faults[fault](), { summary, missing });
  const ofRead = findings.filter(({ operation }) => operation === 'read');
  const source = verdict === 'drift' ? '#/paths/~1articles~1{id}/delete' : 'RFC 9110 §9.3.5';
  expect(ofRead.map((one) => [one.check, one.verdict, one.clause.source])).toEqual([
    ['deleted', verdict, source],
  ]);
});

it.each([
  ['put', 'replaced', '#/paths/~1articles~1{id}/put', '#/paths/~1articles~1{id}/put'],
  ['put merges', 'replaced', '#/paths/~1articles~1{id}/put', 'RFC 9110 §9.3.4'],
  ['merge', 'updated', '#/paths/~1articles~1{id}/patch', '#/paths/~1articles~1{id}/patch'],
] as const)('says of "%s" where the document states the clause', async (fault, id, ...sources) => {
  const report = await verifyChanges(plain, faults[fault]());
  const [clause] = report.clauses.filter((one) => one.id === id);
  expect([clause?.source, report.findings[0]?.clause.source]).toEqual(sources);
});

it('takes plain JSON for a merge patch only where the document says so', async () => {
  const text = 'An update changes what it names alone.';
  const run = (...clauses: object[]) =>
    verifyChanges(plain, faults['merge replaces'](), { clauses });
  expect((await run()).findings).toEqual([]);
  const worded = await run({ id: 'merge-patch', source: '§1', text });
  expect(worded.findings.map(({ check }) => check)).toEqual(['merge-patch']);
});

it('deletes what it created when it is interrupted, too', async () => {
  let left = 0;
  const create = (sent: Article) => {
    left += 1;
    return { color: 'red', ...sent };
  };
  const remove = () => {
    left -= 1;
    return undefined;
  };
  const controller = new AbortController();
  let most = 0;
  const report = await verifyArticles(
    { ...usual, create, remove },
    { ...described, mediaType: merge },
    {
      signal: controller.signal,
      onEvent: (event) => {
        most = Math.max(most, left);
        if (event.type === 'exchange' && most > 3) controller.abort();
      },
    },
  );
  expect(report.verdict).toBe('incomplete');
  expect(most).toBeGreaterThan(3);
  // Calls that were under way were cut off, so nobody knows what came of them.
  expect(left).toBeLessThan(most);
  expect(report.residue).toEqual([]);
});

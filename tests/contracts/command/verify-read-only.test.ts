import { expect, it } from 'vitest';
import { type Article, type Habits, verifyArticles } from '../../support/articles.ts';
import { resultOf } from '../../support/verify-writes.ts';

const marked = {
  origin: { type: 'string', readOnly: true },
  seen_at: { type: 'string', format: 'date-time', readOnly: true },
  share: { type: 'number', readOnly: true },
  // None of these is sent: they may name an item of others, or hide this one.
  owner_id: { type: 'string', readOnly: true },
  deleted_at: { type: 'string', format: 'date-time', readOnly: true },
  size: { type: 'integer', readOnly: true },
};
const description = {
  properties: { title: { type: 'string' }, ...marked },
  required: ['title'],
  mediaType: 'application/json',
};

const own: Article = { origin: 'here', seen_at: '2020-01-01T00:00:00Z', share: 0.5, size: 3 };
const sure: Habits = {
  create: (sent) => ({ ...sent, ...own }),
  replace: (stored, sent) => ({ ...sent, ...own, size: stored.size }),
  update: (stored, sent) => ({ ...stored, ...sent, ...own }),
};

/** The findings of a run, and the names of the marked properties that it sent. */
async function findIn(habits: Habits) {
  const sent = new Set<string>();
  const refuse: Habits['refuse'] = (asked) => {
    for (const name of Object.keys(asked.sent ?? {})) if (name in marked) sent.add(name);
    return habits.refuse?.(asked);
  };
  const report = await verifyArticles({ ...habits, refuse }, description);
  return {
    findings: report.findings,
    sent: [...sent].toSorted(),
    result: resultOf(report, 'read-only'),
  };
}

it.each<[name: string, habits: Habits, verdict: string]>([
  ['ignores what clients may not set', sure, 'kept'],
  [
    'refuses it',
    {
      ...sure,
      refuse: ({ method, sent = {} }) =>
        method !== 'GET' && Object.keys(sent).some((name) => name in marked) ? 422 : undefined,
    },
    'vacuous',
  ],
  [
    'shows the time of the last change',
    { ...sure, show: (article) => ({ ...article, seen_at: new Date().toISOString() }) },
    'kept',
  ],
])('blames no deployment that %s', async (_, habits, verdict) => {
  const { findings, sent, result } = await findIn(habits);
  expect(findings).toEqual([]);
  expect(sent).toEqual(['origin', 'seen_at', 'share']);
  expect(result?.verdict).toBe(verdict);
});

const toMilliseconds = ({ seen_at: time = '', ...article }: Article) => ({
  ...article,
  seen_at: new Date(String(time)).toISOString(),
});

it.each<[name: string, habits: Habits, names: string[]]>([
  [
    'a create',
    { ...sure, create: (sent) => ({ ...own, ...sent }) },
    ['origin', 'seen_at', 'share'],
  ],
  [
    'a create, in another form',
    {
      ...sure,
      create: (sent) => ({
        ...sent,
        ...toMilliseconds({ ...own, ...sent }),
        ...{ origin: 'here', share: 0.5 },
      }),
    },
    ['seen_at'],
  ],
  [
    'an update',
    { ...sure, update: (stored, sent) => ({ ...stored, ...sent }) },
    ['origin', 'seen_at', 'share'],
  ],
])('reports what %s sets, and fails no run', async (_, habits, names) => {
  const { findings } = await findIn(habits);
  const found = findings.filter(({ check }) => check === 'read-only');
  expect(found.map(({ verdict, message }) => [verdict, /"(\w+)"/.exec(message)?.[1]])).toEqual(
    names.map((name) => ['standard', name]),
  );
  expect(findings.filter(({ verdict }) => verdict === 'drift')).toEqual([]);
});

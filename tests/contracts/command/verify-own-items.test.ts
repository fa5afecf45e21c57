import { expect, it } from 'vitest';
import { verify } from '../../../package/verify.ts';
import { type Article, startArticles, writeArticles } from '../../support/articles.ts';

const description = { properties: { color: { enum: ['red', 'blue'] } }, required: ['color'] };

it('changes and deletes no item that was there before, though a create answers with it', async () => {
  const changed: Article[] = [];
  const url = await startArticles(description, {
    seeds: [{ color: 'red' }, { color: 'blue' }],
    isSame: (article, sent) => article.color === sent.color,
    onChange: (article) => changed.push(article),
  });
  const spec = await writeArticles(description);
  const { residue } = await verify({
    allowWrites: true,
    target: { url, keys: [] },
    twin: false,
    spec,
  });
  expect(changed).toEqual([]);
  expect(residue).toEqual([]);
});

it('deletes what it created, though a create answers with it again', async () => {
  const changed = new Set<unknown>();
  const url = await startArticles(description, {
    isSame: (article, sent) => article.color === sent.color,
    onChange: ({ id }) => changed.add(id),
  });
  const spec = await writeArticles(description);
  const { residue } = await verify({
    allowWrites: true,
    target: { url, keys: [] },
    twin: false,
    spec,
  });
  expect(changed.size).toBeGreaterThan(1);
  expect(residue).toEqual([]);
});

it('deletes what it created last, though that has the id of an item that it deleted', async () => {
  const url = await startArticles(description, { reusesIds: true });
  const spec = await writeArticles(description);
  const { residue } = await verify({
    allowWrites: true,
    target: { url, keys: [] },
    twin: false,
    spec,
  });
  expect([await (await fetch(`${url}/articles`)).json(), residue]).toEqual([[], []]);
});

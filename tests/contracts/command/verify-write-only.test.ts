import { expect, it } from 'vitest';
import { type Article, type Habits, verifyArticles } from '../../support/articles.ts';
import { documentOf, schemaOf } from '../../support/document-of.ts';
import { startServer } from '../../support/start-server.ts';
import { resultOf, verifyWrites } from '../../support/verify-writes.ts';

const { properties } = schemaOf(
  '{ title, writeonly secret: text | null, author: { name, writeonly pin } }',
);
const description = { properties, required: ['title'] };

async function findIn(show: (article: Article) => Article) {
  const habits: Habits = {
    create: show,
    replace: (_, sent) => show(sent),
    update: (stored, sent) => ({ ...stored, ...show(sent) }),
    seeds: [show({ title: 'first', secret: 'abc', author: { name: 'A', pin: '1' } })],
  };
  return verifyArticles(habits, description);
}

const without = ({ secret: _, author: shown, ...article }: Article): Article =>
  shown === undefined ? article : { ...article, author: { name: (shown as Article | null)?.name } };

it('finds nothing wrong where properties for requests alone are in no response, or null', async () => {
  const report = await findIn(without);
  expect(report.findings).toEqual([]);
  expect(resultOf(report, 'write-only')?.verdict).toBe('kept');
  expect((await findIn((article) => ({ ...without(article), secret: null }))).findings).toEqual([]);
});

it('reports properties for requests alone that responses show, and fails no run', async () => {
  const { findings } = await findIn((article) => article);
  const found = findings.filter(({ check }) => check === 'write-only');
  const text = (name: string) =>
    expect.stringMatching(
      `^\\w+ answers 20[01] with "${name}", which the document marks as writeOnly$`,
    );
  expect(found.map(({ verdict, message }) => [verdict, message])).toEqual([
    ['standard', text('secret')],
    ['standard', text('pin')],
  ]);
});

const pin = schemaOf('{ name, writeonly pin }');
const listOf = (items: object) => ({ type: 'array', items });
const objectOf = (member: object) => ({ type: 'object', properties: { of: member } });
const shown = { name: 'A', pin: '1' };

it.each<[name: string, schema: object, body: unknown]>([
  ['an object in a list in an object', objectOf(listOf(objectOf(pin))), { of: [{ of: shown }] }],
  ['a list of lists', listOf(listOf(pin)), [[{ name: 'B' }], [shown]]],
  ['a part of an allOf', { allOf: [pin, objectOf({ type: 'string' })] }, shown],
  ['an alternative', { oneOf: [objectOf({ type: 'string' }), pin] }, shown],
  ['items of an allOf', { allOf: [listOf(pin)] }, [shown]],
  [
    'a list in an alternative',
    objectOf({ oneOf: [{ type: 'null' }, listOf(pin)] }),
    { of: [shown] },
  ],
  ['a map', { type: 'object', additionalProperties: pin }, { any: shown }],
])('finds a property for requests alone in %s', async (_, schema, body) => {
  const url = await startServer(() => ({ status: 200, body }));
  const document = documentOf('me: GET /me -> Shown', { Shown: schema });
  const { findings } = await verifyWrites(url, document, { allowWrites: false });
  const found = findings.filter(({ check }) => check === 'write-only');
  expect(found.map(({ message }) => message)).toEqual([
    'me answers 200 with "pin", which the document marks as writeOnly',
  ]);
});

import { expect, it } from 'vitest';
import { serveDocument } from '../../support/serve-document.ts';

it('shows related items beside those that an answer is about, as JSON:API has it', async () => {
  const { send } = await serveDocument(`
    GET /articles?include -> { data!: [Article], included: [Person | Article] }
    POST /articles { data!: Article } -> 201 { data!: Article }
    GET /articles/{id:text}?include -> { data!: Article, included: [Person | Article] }
    GET /people -> { data!: [Person] }
    GET /people/{id:text}?include -> { data!: Person }
    Article: { type!: "articles", id: text, title!, relationships: { author: One, parts: Many } }
    Person: { type!: "people", id!: text, name!, relationships: { boss: One } }
    One: { data: { type!, id! } | null }
    Many: { data: [{ type!, id! }] }
  `);
  const of = (type: string, id: string) => ({ type, id });
  const author = { data: of('people', '2') };
  const parts = { data: [of('articles', '1'), of('articles', '3'), of('articles', '9')] };
  const article = { type: 'articles', title: 'T', relationships: { author, parts } };
  expect((await send('POST', '/articles', { data: article })).json.data.id).toBe('3');
  const { data: ann } = (await send('GET', '/people/2')).json;
  const { data: first } = (await send('GET', '/articles/1')).json;
  const included = async (query: string) => (await send('GET', `/articles${query}`)).json.included;
  expect(await included('/3')).toBe(undefined);
  expect(await included('/3?include=author')).toEqual([ann]);
  expect(await included('/3?include=author,parts.author,none')).toEqual([ann, first]);
  expect(await included('?include=author')).toEqual([ann]);
  expect((await send('GET', '/people/2?include=boss')).json).toEqual({ data: ann });
});

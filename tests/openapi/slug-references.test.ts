import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';

const text = { type: 'string' };

/** The references of books with these properties, beside categories that a property identifies. */
function referencesOf(properties: object, { id = 'slug', path = 'categories' } = {}) {
  const category = { type: 'object', required: [id], properties: { [id]: text, title: text } };
  const book = { type: 'object', required: ['id'], properties: { id: text, ...properties } };
  const list = (items: object) => ({
    get: { responses: { 200: jsonOf({ type: 'array', items }) } },
  });
  const document = compile(
    toDocument({
      [`/${path}`]: list(category),
      [`/${path}/{${id}}`]: {
        parameters: [{ name: id, in: 'path', required: true, schema: text }],
        get: { responses: { 200: jsonOf(category) } },
      },
      '/books': list(book),
    }),
  );
  return document.resources.find(({ name }) => name === 'books')?.references;
}

it.each(['categorySlug', 'category_slug', 'category-slug'])(
  'finds %s beside categories with slugs',
  (name) => {
    expect(referencesOf({ [name]: text })).toEqual([{ property: name, collection: 'categories' }]);
  },
);

it.each([
  ['the title of a category', { categoryTitle: text }, {}],
  ['a name, even where it identifies categories', { categoryName: text }, { id: 'name' }],
  ['a slug where something else identifies categories', { categorySlug: text }, { id: 'code' }],
  ['a slug of what is no collection', { authorSlug: text }, {}],
  ['a slug of its own', { slug: text, bookSlug: text }, {}],
  ['a number', { categorySlug: { type: 'integer' } }, {}],
  ['one of several texts', { categorySlug: { enum: ['a', 'b'] } }, {}],
])('takes %s for no reference', (_, properties, options) => {
  expect(referencesOf(properties, options)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { compile } from '../../openapi/index.ts';
import { documentOf } from '../support/document-of.ts';

/** The references of books with these properties, beside categories that a property identifies. */
function referencesOf(properties: string, id = 'slug') {
  const { resources } = compile(
    documentOf(`
      GET /categories -> [Category]
      GET /categories/{${id}:text} -> Category
      GET /books -> [{ id!, ${properties} }]
      Category: { ${id}!, title }
    `),
  );
  return resources.find(({ name }) => name === 'books')?.references;
}

it.each(['categorySlug', 'category_slug', 'category-slug'])(
  'finds %s beside categories with slugs',
  (name) => {
    expect(referencesOf(name)).toEqual([{ property: name, collection: 'categories' }]);
  },
);

it.each([
  ['the title of a category', 'categoryTitle'],
  ['a name, even where it identifies categories', 'categoryName', 'name'],
  ['a slug where something else identifies categories', 'categorySlug', 'code'],
  ['a slug of what is no collection', 'authorSlug'],
  ['a slug of its own', 'slug, bookSlug'],
  ['a number', 'categorySlug: int'],
  ['one of several texts', 'categorySlug: "a" | "b"'],
])('takes %s for no reference', (_, properties, id = 'slug') => {
  expect(referencesOf(properties, id)).toBeUndefined();
});

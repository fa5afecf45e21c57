import { expect, it } from 'vitest';
import { changesOf, replacementOf, updatesOf } from '../../../contracts/cases/change-cases.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const text = { type: 'string' };
const place = { type: 'object', required: ['room'], properties: { room: { const: '1' } } };

type Description = { properties: Record<string, object>; required?: string[] };

/** A document of such items, and an item whose values the run has set. */
function describe({ properties, required = [] }: Description, item: object) {
  const id = { type: 'integer', readOnly: true };
  const Note = { type: 'object', required, properties: { id, ...properties } };
  const document = compile(
    documentOf(
      `
      GET /notes -> [Note]
      POST /notes Note -> 201 Note
      GET /notes/{id} -> Note
      PATCH /notes/{id} Note -> Note
      PUT /notes/{id} Note -> Note
      `,
      { Note },
    ),
  );
  const own = Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'id'));
  const [resource] = document.resources as [Resource];
  return { document, resource, known: { item: { ...item }, own, marker: 'changed', fresh: '0' } };
}

/** The value that an update of such an item sends. */
function updateOf(properties: Record<string, object>, item: object, named: string[] = []) {
  const { document, resource, known } = describe({ properties }, item);
  return updatesOf(document, resource, { ...known, named })[0]?.body?.value;
}

/** The value that a replacement of such an item sends. */
function replacementFor(description: Description, item: object) {
  const { document, resource, known } = describe(description, item);
  return replacementOf(document, resource, known)?.body?.value;
}

it('sets no object, which may be merged with the one that is there', () => {
  const item = { id: 1, place: { room: '2' }, tags: ['a'] };
  expect(updateOf({ place }, item)).toBeUndefined();
  const tags = { type: 'array', items: text };
  expect(updateOf({ place, tags }, item)).toEqual({ tags: [] });
  expect(updateOf({ place, size: { type: 'integer' } }, { ...item, size: 1 })).toEqual({
    size: 2 ** 30 + 2,
  });
});

it('sets a text within an object of its own, and repeats what the object has besides', () => {
  const made = { type: 'string', readOnly: true };
  const kind = { enum: ['news', 'opinion'] };
  const page = {
    type: 'object',
    properties: { kind, author: text, title: text, made, body: text },
  };
  const shown = { kind: 'news', author: 'Bo', title: 'own 0', made: 'now', body: 'own 0' };
  const changed = { page: { kind: 'news', author: 'Bo', title: 'changed', body: 'own 0' } };
  expect(updateOf({ page }, { id: 1, page: shown })).toEqual(changed);
  const others = { type: 'object', properties: { id: { type: 'integer' }, title: text } };
  expect(updateOf({ page: others }, { id: 1, page: { id: 7, title: 'own 0' } })).toBeUndefined();
});

it('sends what an update requires as it is', () => {
  const description = { properties: { text, version: { type: 'integer' } }, required: ['version'] };
  const { document, resource, known } = describe(description, { id: 1, text: 'x', version: 3 });
  const [update] = updatesOf(document, resource, known);
  expect(update?.body?.value).toEqual({ text: 'changed', version: 3 });
});

it('sets a text first, and what a deployment may compute last', () => {
  const properties = { status: { enum: ['a', 'b'] }, slug: text, size: { type: 'integer' }, text };
  const item = { id: 1, status: 'a', slug: 'x', size: 1, text: 'y' };
  expect(updateOf(properties, item)).toEqual({ text: 'changed' });
  expect(updateOf(properties, item, ['text'])).toEqual({ size: 2 ** 30 + 2 });
  expect(updateOf(properties, item, ['text', 'size'])).toEqual({ slug: 'changed' });
  expect(updateOf(properties, item, ['text', 'size', 'slug'])).toEqual({ status: 'b' });
});

it('sets nothing that the document says is computed, or that answers do not show', () => {
  const words = { type: 'integer', description: 'Calculated from the text.' };
  const secret = { type: 'string', writeOnly: true };
  expect(updateOf({ words, secret }, { id: 1, words: 2 })).toBeUndefined();
});

it('replaces an item without another version or state, which a deployment may refuse', () => {
  const version = { type: 'integer' };
  const status = { enum: ['a', 'b'] };
  const item = { id: 1, text: 'x', version: 3, status: 'a' };
  const properties = { text, version, status };
  expect(replacementFor({ properties, required: ['text', 'version', 'status'] }, item)).toEqual({
    text: 'changed',
    version: 3,
    status: 'a',
  });
  expect(replacementFor({ properties: { status }, required: ['status'] }, item)).toEqual({
    status: 'b',
  });
});

it('expects what a replacement leaves out to be gone where its body is a whole item alone', () => {
  const item = { id: 1, text: 'x', note: 'y' };
  const leftBy = (required: string[]) => {
    const { document, resource, known } = describe(
      { properties: { text, note: text }, required },
      item,
    );
    return replacementOf(document, resource, known)?.expected.left;
  };
  expect(leftBy(['text'])).toEqual({ note: 'y' });
  expect(leftBy([])).toEqual({});
});

it.each(['PUT', 'PATCH'])('names the item in the body of a %s whose path does not', (method) => {
  const document = compile(
    documentOf(`
      Note: { id: int, text! }
      POST /notes Note -> 201 Note
      ${method} /notes Note -> Note
      GET /notes/{id} -> Note
    `),
  );
  const [resource] = document.resources as [Resource];
  const item = { id: 7, text: 'x' };
  const known = { item, own: { text: 'x' }, marker: 'changed', fresh: '0' };
  const [change] = changesOf(document, resource, known);
  expect(change?.body?.value).toEqual({ id: 7, text: 'changed' });
});

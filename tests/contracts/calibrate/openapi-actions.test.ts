import { expect, it } from 'vitest';
import { toOpenApiActions } from '../../../contracts/calibrate/openapi-actions.ts';
import { applyOverlay } from '../../../contracts/description/apply-overlay.ts';
import {
  builtInDocument,
  indexDocument,
  loadDocument,
} from '../../../contracts/description/document.ts';
import { parseOverlay } from '../../../contracts/description/overlay.ts';
import { applyPins } from '../../../contracts/description/pins.ts';
import { projectFile } from '../../support/twin.ts';

const document = await loadDocument(builtInDocument);

const found = {
  'limit-out-of-range': {
    above: 'clamped',
    text: { status: 422, json: { detail: [{ type: '' }] } },
  },
  'unknown-status-filter': { status: 400, code: 'bad', message: 'no' },
  'default-status': { status: 'available' },
  'empty-name': 422,
  'unusual-name': { max: 255, tooLong: 422 },
  'unknown-category': { belowOne: 422, from: 1, to: 400 },
  'body-size': { max: 131072, answer: { status: 413, code: 'large', message: 'too large' } },
  'media-type': { status: 415, code: 'media', message: 'JSON, please' },
  'orders-payload': { status: 200, json: { orders: [], total: 0 } },
  'further-members': { tags: [''], owner: null },
  'new-id': 'random',
};
const actions = toOpenApiActions(
  document,
  Object.entries(found).map(([silence, answer]) => ({ silence, answer })),
);
const toOverlay = (more: object[] = actions) =>
  parseOverlay({ overlay: '1.0.0', info: { title: 'Pins', version: '1' }, actions: more });

it("says pins in OpenAPI's own words where it has some, beside what is stated", () => {
  const pinned = applyOverlay(document.exact, toOverlay());
  const { NewPet, Pet } = pinned.components.schemas;
  expect(NewPet.properties).toMatchObject({
    name: { type: 'string', minLength: 1, maxLength: 255 },
    categoryId: { minimum: 1 },
    status: { $ref: '#/components/schemas/PetStatus', default: 'available' },
  });
  expect(Pet.properties).toEqual({
    tags: { type: 'array', items: { type: 'string' } },
    owner: { type: 'null' },
  });
  expect(pinned.paths['/pets'].get.responses['422'].content['application/json'].schema).toEqual({
    type: 'object',
    properties: {
      detail: {
        type: 'array',
        items: { type: 'object', properties: { type: { type: 'string' } } },
      },
    },
  });
  const stated = Object.keys(document.exact.paths['/pets'].post.responses);
  expect(new Set(Object.keys(pinned.paths['/pets'].post.responses))).toEqual(
    new Set([...stated, '413', '415', '422']),
  );
  expect(pinned.paths['/pets'].get.responses['400']).toEqual(
    document.exact.paths['/pets'].get.responses['400'],
  );
  expect(actions.every((action) => action['x-silence'] in found)).toBe(true);
});

it('gives a document that can be used strictly, and takes nothing from it', () => {
  const pinned = applyOverlay(document.raw, toOverlay());
  expect(indexDocument(pinned, 'pinned', { isStrict: true }).written.warnings).toEqual([]);
  expect(pinned).toMatchObject(document.raw);
});

it('is neither obeyed nor judged by, so that a stated clause stays what it is', () => {
  const { paths, components } = applyPins(document, toOverlay()).raw;
  expect({ paths, components }).toEqual({
    paths: document.raw.paths,
    components: document.raw.components,
  });
});

it.each([
  [{ target: '$.info', update: { title: 'Other' } }, 'and it has "title"'],
  [
    { target: "$.paths['/pets'].get.responses", update: { 200: { description: 'x' } } },
    'and it has "description"',
  ],
  [{ target: '$.info', remove: true }, 'may only add what the document does not say.'],
])('refuses %j as what a pin adds', (action, says) => {
  const overlay = toOverlay([{ ...action, 'x-silence': 'default-status' }]);
  expect(() => applyPins(document, overlay)).toThrow(says);
});

it('names the properties that were asked about, whatever the document calls them', async () => {
  const books = await loadDocument(projectFile('tests/support/books.yaml'));
  const said = toOpenApiActions(books, [
    { silence: 'empty-name', answer: 422 },
    { silence: 'unusual-name', answer: { max: 80, tooLong: 422 } },
  ]);
  const updates = said.filter(({ target }) => target.includes('properties'));
  expect(updates).toMatchObject([
    { target: expect.stringMatching(/properties\.title$/), update: { minLength: 1 } },
    { target: expect.stringMatching(/properties\.title$/), update: { maxLength: 80 } },
  ]);
});

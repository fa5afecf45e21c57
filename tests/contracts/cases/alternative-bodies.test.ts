import { expect, it } from 'vitest';
import { planBodies, validFields } from '../../../contracts/cases/bodies.ts';
import { updatesOf } from '../../../contracts/cases/change-cases.ts';
import { fullBodies } from '../../../contracts/cases/full-fields.ts';
import { createPlan } from '../../../contracts/cases/plan.ts';
import { compile, type Resource } from '../../../openapi/index.ts';
import {
  crudDocument,
  ownId as id,
  objectOf as obj,
  ref,
  text,
  whole,
} from '../../support/crud-document.ts';
import { serveDocument } from '../../support/serve-document.ts';
import { verifyWrites } from '../../support/verify-writes.ts';

const kind = (name: string, property: string) =>
  obj(
    { id, type: { const: name }, [property]: whole, [`${name}Note`]: text },
    { required: ['type', property], additionalProperties: false },
  );
const shapes = { oneOf: [kind('circle', 'radius'), kind('square', 'side')] };
const mapping = { cat: ref('Cat').$ref };
const animal = obj(
  { id, animalType: text },
  { required: ['animalType'], discriminator: { propertyName: 'animalType', mapping } },
);
const ofAnimal = (property: string) => ({
  allOf: [ref('Animal'), obj({ [property]: whole }, { required: [property] })],
});
const schemas = { Animal: animal, Cat: ofAnimal('lives'), Dog: ofAnimal('pack') };
const contact = {
  ...obj({ id, mail: { ...text, format: 'email' }, phone: text, note: text }),
  oneOf: [{ required: ['mail'] }, { required: ['phone'] }],
};
const base = obj({ id, value: whole }, { required: ['value'] });

it.each([
  ['oneOf', shapes, ['circleNote', 'radius', 'type'], { type: 'circle' }],
  ['what is required', contact, ['mail', 'note'], {}],
  ['the kinds of a discriminator', ref('Animal'), ['animalType', 'lives'], { animalType: 'cat' }],
  [
    'what stands beside a $ref',
    { ...ref('Base'), properties: { label: text }, required: ['label'] },
    ['label', 'value'],
    {},
  ],
])('makes a body of one alternative of %s', (_, item, names, told) => {
  const parts = { schemas: { ...schemas, Base: base } };
  const document = compile(crudDocument(item, parts));
  const plan = planBodies(document, document.resources[0] as Resource);
  const [full = {}] = fullBodies(document, plan, 'marker');
  expect(Object.keys(full).toSorted()).toEqual(names);
  expect(validFields(plan, 'marker')).toMatchObject(told);
});

it.each([
  ['a schema', obj({ id, name: text }, { required: ['name'] }), true],
  ['alternatives', shapes, true],
  ['an object or a text', { anyOf: [shapes, text] }, false],
])('sends no JSON, and an array where %s asks for an object', (_, item, asksForObject) => {
  const document = compile(crudDocument(item));
  const all = { readOnly: false, includes: () => true, isNeeded: () => false };
  const { stages } = createPlan(document, { seed: 1, selection: all });
  const sent = stages
    .flatMap(({ cases }) => cases)
    .flatMap(({ purpose }) => (purpose.kind === 'invalid-create' ? purpose.what : []));
  expect(sent).toContain('body not JSON');
  expect(sent.includes('body an array')).toBe(asksForObject);
});

it('changes only what items of the same kind have', () => {
  const document = compile(crudDocument(shapes));
  const resource = document.resources[0] as Resource;
  const square = { id: 1, type: 'square', side: 2 };
  const known = { item: square, own: square, marker: 'marker', fresh: '0123456789ab' };
  const changed = updatesOf(document, resource, known).map(({ expected }) =>
    Object.keys(expected.changed),
  );
  expect(changed).not.toEqual([]);
  for (const names of changed) expect([['side'], ['squareNote']]).toContainEqual(names);
});

it('finds nothing wrong with a mock of alternatives', async () => {
  const document = crudDocument(shapes, { patch: { type: 'object' } });
  const { api } = await serveDocument(document);
  const { findings } = await verifyWrites(api, document);
  expect(findings).toEqual([]);
});

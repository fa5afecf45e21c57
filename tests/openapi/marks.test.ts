import { expect, it } from 'vitest';
import { createFindUnasked, describeSent, describeShown } from '../../openapi/marks.ts';
import { withoutUnasked } from '../../openapi/model/unasked.ts';

const raw = {
  components: {
    schemas: {
      Id: { type: 'string', readOnly: true },
      Pet: {
        type: 'object',
        required: ['id', 'name', 'secret'],
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          name: { type: 'string' },
          secret: { type: 'string', writeOnly: true },
          parent: { $ref: '#/components/schemas/Pet' },
        },
      },
      Strict: { allOf: [{ $ref: '#/components/schemas/Pet' }, { required: ['id', 'parent'] }] },
    },
  },
};
const pet = { $ref: '#/components/schemas/Pet' };
const { Pet, Strict } = raw.components.schemas;

it('frees requests of what is readOnly, and answers of what is writeOnly', () => {
  const body = { type: 'array', items: Pet };
  expect(withoutUnasked(body, createFindUnasked(raw, 'readOnly')(body))).toMatchObject({
    items: { required: ['name', 'secret'] },
  });
  expect(withoutUnasked(body, createFindUnasked(raw, 'writeOnly')(body))).toMatchObject({
    items: { required: ['id', 'name'] },
  });
  expect(body.items.required).toEqual(['id', 'name', 'secret']);
});

it('frees a part of allOf of what another part describes', () => {
  const unasked = createFindUnasked(raw, 'readOnly')(Strict);
  expect(withoutUnasked(Strict, unasked)).toMatchObject({
    allOf: [pet, { required: ['parent'] }],
  });
});

it('finds the mark of a property in its allOf', () => {
  const name = { allOf: [{ $ref: '#/components/schemas/Named' }, { type: 'string' }] };
  const Named = { allOf: [{ maxLength: 5 }, { readOnly: true }] };
  const [all, body] = [{ components: { schemas: { Named } } }, { properties: { name, age: {} } }];
  expect(Object.keys(describeSent(all, body).properties)).toEqual(['age']);
  expect(Object.keys(describeShown(all, body).properties)).toEqual(['name', 'age']);
});

it('frees of nothing what has no marks', () => {
  expect(createFindUnasked(raw, 'readOnly')({ required: ['id'] }).size).toBe(0);
});

it('describes what may be sent and shown', () => {
  expect(describeSent(raw, pet).required).toEqual(['name', 'secret']);
  expect(Object.keys(describeShown(raw, pet).properties)).toEqual(['id', 'name', 'parent']);
});

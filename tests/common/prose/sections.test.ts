import { expect, it } from 'vitest';
import { DocumentError } from '../../../common/cli/usage-error.ts';
import { toSourceParts } from '../../../common/look/source-parts.ts';
import { compile } from '../../../openapi/index.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Depot', version: '1' },
  paths: { '/parcels': { get: { responses: { 200: { description: 'Parcels.' } } } } },
};

it('reads what each section states, and which clauses hold it', () => {
  const { sections, clauses } = compile({
    ...document,
    'x-sections': [
      {
        id: '4.1',
        title: 'Parcels',
        statements: [
          { text: 'There are parcels.' },
          { text: 'They last.', clauses: ['read-back'] },
        ],
      },
      { id: '5', title: 'Doors' },
    ],
    'x-clauses': [{ id: 'read-back', source: '§4.1', text: 'A parcel lasts.' }],
  });
  expect(sections).toEqual([
    {
      id: '4.1',
      title: 'Parcels',
      statements: [
        { text: 'There are parcels.', clauses: [] },
        { text: 'They last.', clauses: ['read-back'] },
      ],
    },
    { id: '5', title: 'Doors', statements: [] },
  ]);
  expect(clauses).toEqual([{ id: 'read-back', source: '§4.1', text: 'A parcel lasts.' }]);
});

it('has no sections and no clauses where a document gives none', () => {
  expect(compile(document)).toMatchObject({ sections: [], clauses: [] });
});

it.each([
  [{ 'x-sections': {} }, 'x-sections must be a list'],
  [{ 'x-sections': [null] }, 'x-sections[0].id must be a text that is not empty'],
  [{ 'x-sections': [{ id: 4.1, title: 'A' }] }, 'x-sections[0].id must be a text'],
  [
    { 'x-sections': [{ id: '1', title: 'A', statements: 'none' }] },
    'x-sections[0].statements must be a list',
  ],
  [
    { 'x-sections': [{ id: '1', title: 'A', statements: [{ text: 'B', clauses: 'c' }] }] },
    'x-sections[0].statements.clauses must be a list',
  ],
  [{ 'x-clauses': [{ id: 'a', source: '§1' }] }, 'x-clauses[0].text must be a text'],
])('refuses %j', (extension, message) => {
  const index = () => compile({ ...document, ...extension }, { file: 'depot.yaml' });
  expect(index).toThrow(DocumentError);
  expect(index).toThrow(`depot.yaml cannot be used: ${message}`);
});

it('tells the parts of a source', () => {
  expect(toSourceParts('§4.1, RFC 9110 §10.2.3')).toEqual([
    { text: '§4.1', section: '4.1' },
    { text: 'RFC 9110 §10.2.3', rfc: { number: '9110', section: '10.2.3' } },
  ]);
  expect(toSourceParts('#/paths/~1pets/get')).toEqual([{ text: '#/paths/~1pets/get' }]);
});

import { expect, it } from 'vitest';
import { statedSchema } from '../../contracts/document/stated.ts';
import { compileAnswerOf } from '../../contracts/transcript/schema/validator.ts';
import { contentsOf } from '../../openapi/content.ts';
import { compile, type Operation } from '../../openapi/index.ts';
import { chooseContent, toSentType } from '../../openapi/model/content.ts';
import { toDocument } from '../support/serve-document.ts';

it.each([
  ['application/json', 'application/json'],
  ['Application/JSON; charset=utf-8', 'application/json'],
  ['application/json;version="2"', 'application/json; version=2'],
  ['application/json; version=3', 'application/json'],
  ['application/hal+json', 'application/*'],
  ['image/png', 'image/png'],
  ['image/gif', '*/*'],
  ['text/plain', 'text/plain; charset=utf-8'],
])('chooses the narrowest content for %s', (type, expected) => {
  const types = ['*/*', 'application/*', 'application/json; version=2', 'application/json'];
  const texts = ['text/plain; format=flowed', 'text/plain; charset=utf-8'];
  const content = Object.fromEntries([...types, ...texts, 'image/png'].map((one) => [one, {}]));
  expect(chooseContent(contentsOf({}, { content }), type)?.fullType).toBe(expected);
});

it('chooses none where a response has no content for a type', () => {
  expect(chooseContent(contentsOf({}, { content: { 'text/plain': {} } }), 'image/png')).toBe(
    undefined,
  );
});

it.each([
  ['application/json; v=1', {}, 'application/json; v=1'],
  ['application/*', {}, 'application/json'],
  ['*/*', {}, 'application/json'],
  ['*/*', { type: 'string', format: 'binary' }, 'text/plain'],
  ['image/*', {}, 'image/*'],
])('sends content of %s with the schema %j as %s', (type, schema, sent) => {
  const [content] = contentsOf({}, { content: { [type]: { schema } } });
  expect(content && toSentType(content)).toBe(sent);
});

const needs = (name: string) => ({ schema: { type: 'object', required: [name] } });

it('judges an answer by the schema of its media type', () => {
  const content = {
    'application/json': needs('a'),
    'application/hal+json': needs('_links'),
    'application/vnd.any+json': {},
  };
  const responses = { 200: { description: 'Fine.', content } };
  const document = compile(toDocument({ '/things': { get: { responses } } }));
  const [operation] = document.operations as [Operation];
  const holds = (type: string | undefined, json: unknown) =>
    compileAnswerOf(document, operation, { status: 200, mediaType: type })?.(json).length === 0;
  expect(holds('application/hal+json', { _links: {} })).toBe(true);
  expect(holds('application/hal+json; charset=utf-8', { a: 1 })).toBe(false);
  for (const type of [undefined, 'application/json', 'application/other+json']) {
    expect(holds(type, { a: 1 })).toBe(true);
    expect(holds(type, { _links: {} })).toBe(false);
  }
  expect(statedSchema(operation, 200, 'application/vnd.any+json')).toBe(undefined);
});

import { expect, it } from 'vitest';
import { protocolCases } from '../../../contracts/cases/protocol-cases.ts';
import { compile } from '../../../openapi/index.ts';
import { jsonOf, toDocument } from '../../support/serve-document.ts';
import { writeJson } from '../../support/write-json.ts';

const book = { type: 'object', properties: { id: { type: 'integer' }, title: { type: 'string' } } };
const list = { responses: { 200: jsonOf({ type: 'array', items: book }) } };
const read = {
  parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
  get: { responses: { 200: jsonOf(book) } },
};

const heads: Record<string, [head: object, isAsked: boolean]> = {
  'is not described': [{}, true],
  'is described with 200': [{ head: { responses: { 200: { description: 'Fine.' } } } }, true],
  'is described with 204': [{ head: { responses: { 204: { description: 'Fine.' } } } }, false],
};

it.each(Object.keys(heads))(
  'asks for the status of GET as far as that holds: HEAD %s',
  async (name) => {
    const [head, isAsked] = heads[name] ?? [];
    const paths = { '/books': { get: list, ...head }, '/books/{id}': read };
    const document = await compile(await writeJson(toDocument(paths)));
    const rules = protocolCases(document).map(({ purpose }) => purpose);
    expect(rules.some((one) => one.kind === 'protocol' && one.rule === 'head')).toBe(isAsked);
  },
);

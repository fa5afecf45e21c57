import { expect, it } from 'vitest';
import { verify } from '../../../package/verify.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

/** Its documents do not list every status. */
const skip = ['described-status'];

const ref = (name: string) => ({
  description: 'Fine.',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});
const refused = { 401: { description: 'Refused.' } };
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** Each operation asks for keys in another way. */
const document = {
  openapi: '3.1.0',
  info: { title: 'Keyed', version: '1' },
  security: [{ query: [] }],
  components: {
    securitySchemes: {
      query: { type: 'apiKey', in: 'query', name: 'appid' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { type: 'http', scheme: 'basic' },
      login: {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: '/token', scopes: { read: '' } } },
      },
    },
    schemas: {
      Item: {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
      },
      Items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
      New: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    },
  },
  paths: {
    '/items': {
      get: { operationId: 'listItems', responses: { 200: ref('Items'), ...refused } },
      post: {
        operationId: 'addItem',
        security: [{ basic: [] }],
        requestBody: { required: true, ...ref('New') },
        responses: { 201: ref('Item'), ...refused },
      },
    },
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        security: [{ login: ['read'], cookie: [] }],
        parameters: [id],
        responses: { 200: ref('Item'), 404: { description: 'None.' }, ...refused },
      },
    },
  },
};

it('sends keys where the document has them, and finds nothing wrong with the twin', async () => {
  const spec = await writeJson(document);
  const { api } = await startTwin({ spec });
  const target = { url: api, keys: ['demo-business'] };
  const { findings, incomplete } = await verify({ target, spec, skip });
  expect(findings.map(({ message }) => message)).toEqual([]);
  expect(incomplete).toEqual([]);
});

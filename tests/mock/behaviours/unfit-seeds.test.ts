import { expect, it } from 'vitest';
import { pathParameter, toDocument } from '../../support/serve-document.ts';
import { startTwin } from '../../support/twin.ts';
import { withJson } from '../../support/with-json.ts';
import { writeJson } from '../../support/write-json.ts';

const sign = {
  type: 'object',
  required: ['id', 'title', 'part'],
  properties: {
    id: { type: 'integer' },
    title: { type: 'string', maxLength: 9 },
    // No item that is made has this.
    part: { oneOf: [{}, { type: 'string' }] },
  },
};
const content = (schema: object) => ({ 'application/json': { schema } });
const changes = { type: 'object', properties: { title: { type: 'string' } } };

it('refuses a change for what is wrong with it, and not for what an item begins with', async () => {
  const spec = await writeJson(
    toDocument({
      '/signs': {
        get: {
          responses: {
            200: { description: 'All.', content: content({ type: 'array', items: sign }) },
          },
        },
      },
      '/signs/{id}': {
        parameters: [pathParameter('id')],
        patch: {
          requestBody: { content: content(changes) },
          responses: { 200: { description: 'One.', content: content(sign) } },
        },
      },
    }),
  );
  const { api, lines } = await startTwin({ spec, pets: 2 });
  const patch = async (title: string) => {
    const response = await fetch(`${api}/signs/1`, withJson('PATCH', { title }));
    return { status: response.status, json: await response.json() };
  };
  expect(await patch('Exit')).toMatchObject({ status: 200, json: { id: 1, title: 'Exit' } });
  expect(lines.join()).toContain('The items generated for signs do not match');
  const refused = await patch('Much too long');
  expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_body' } });
  expect((refused.json as { message: string }).message).not.toContain('part');
});

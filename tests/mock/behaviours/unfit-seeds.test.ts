import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

const signs = documentOf('GET /signs -> [Sign]\nPATCH /signs/{id} { title } -> Sign', {
  Title: { type: 'string', maxLength: 9 },
  // No item that is made has this.
  Part: { oneOf: [{}, { type: 'string' }] },
  Sign: '{ id!: int, title!: Title, part!: Part }',
});

it('refuses a change for what is wrong with it, and not for what an item begins with', async () => {
  const { send, lines } = await serveDocument(signs);
  const patch = (title: string) => send('PATCH', '/signs/1', { title });
  expect(await patch('Exit')).toMatchObject({ status: 200, json: { id: 1, title: 'Exit' } });
  expect(lines.join()).toContain('The items generated for signs do not match');
  const refused = await patch('Much too long');
  expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_body' } });
  expect((refused.json as { message: string }).message).not.toContain('part');
});

import { expect, it } from 'vitest';
import { serveDocument, serveEmpty } from '../../support/serve-document.ts';

it('shows what only a create describes in its response alone, and an action that describes it', async () => {
  const { send } = await serveDocument(
    `
      GET /keys -> [Key]
      POST /keys { name! } -> 201 { id!: text, name!, secret!: text }
      GET /keys/{id:text} -> Key
      PATCH /keys/{id:text} { name } -> Key
      POST /keys/{id:text}/rotate -> { id!: text, name!, secret!: text }
      Key: { id!: text, name! }
    `,
    { items: 1 },
  );
  const { json: made } = await send('POST', '/keys', { name: 'ci' });
  expect(made).toEqual({ id: '2', name: 'ci', secret: expect.any(String) });
  const key = { id: '2', name: 'ci' };
  expect((await send('GET', '/keys/2')).json).toEqual(key);
  expect((await send('GET', '/keys')).json).toEqual([{ id: '1', name: expect.any(String) }, key]);
  expect((await send('PATCH', '/keys/2', {})).json).toEqual(key);
  expect((await send('POST', '/keys/2/rotate')).json).toEqual(made);
});

it('shows what a body sets at all times, though only the response of the create describes it', async () => {
  const { send } = await serveEmpty(`
    POST /keys { name!, note } -> 201 { id!: text, name!, note: text }
    GET /keys/{id:text} -> { id!: text, name! }
  `);
  const { json } = await send('POST', '/keys', { name: 'ci', note: 'mine' });
  expect((await send('GET', '/keys/1')).json).toEqual(json);
});

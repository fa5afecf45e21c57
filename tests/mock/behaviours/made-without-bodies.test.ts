import { expect, it } from 'vitest';
import { documentOf } from '../../support/document-of.ts';
import { serveDocument } from '../../support/serve-document.ts';

/**
 * Describes values that are set by the query, by the service alone, by a list, and by actions that
 * show nothing.
 */
const sites = documentOf(`
  GET /hooks?site_id -> [Hook]
  POST /hooks?site_id { url } -> 201 Hook
  GET /hooks/{id:text} -> Hook
  DELETE /hooks/{id:text} -> { deleted_hook_id }
  GET /keys -> [Key]
  POST /keys -> 201 Key
  GET /keys/{id:text} -> Key
  GET /env -> [Variable]
  POST /env [Variable] -> 201 [Variable]
  GET /env/{key:text} -> Variable
  POST /pods Pod -> 201 Pod
  GET /pods/{id:text} -> Pod
  POST /pods/{id:text}/lifecycle/suspend -> 200
  PUT /pods/{id:text}/lock -> 204
  DELETE /pods/{id:text}/lock -> 204
  POST /pods/{id:text}/lifecycle/wake -> 200
  Hook: { id, site_id, url }
  Key: { id, public_key, note }
  Variable: { key, value }
  Pod: { id, status: "active" | "suspended", locked: bool }
`);

async function serve() {
  const { send, document } = await serveDocument(sites);
  const call = async (...sent: Parameters<typeof send>) => {
    const { status, json } = await send(...sent);
    return json ?? status;
  };
  return { call, document };
}

it('stores what the query of a create says of the item', async () => {
  const { call } = await serve();
  const made = await call('POST', '/hooks?site_id=s7', { url: 'https://example.com' });
  expect(made).toMatchObject({ site_id: 's7', url: 'https://example.com' });
  expect(await call('GET', '/hooks?site_id=s7')).toEqual([made]);
});

it('answers a delete with the id of what it deleted', async () => {
  const { call } = await serve();
  const { id } = await call('POST', '/hooks', { url: 'https://example.com' });
  expect(await call('DELETE', `/hooks/${id}`)).toEqual({ deleted_hook_id: id });
});

it('makes all of an item that is created without a body', async () => {
  const { call } = await serve();
  const made = await call('POST', '/keys');
  expect(made).toEqual({ id: '3', public_key: expect.any(String), note: expect.any(String) });
  expect(await call('GET', '/keys')).toContainEqual(made);
});

it('lets a list of new items choose their ids', async () => {
  const { call } = await serve();
  const token = { key: 'TOKEN', value: 'secret' };
  expect(await call('POST', '/env', [token])).toEqual([token]);
  expect(await call('GET', '/env/TOKEN')).toEqual(token);
});

it('sets what an action does that answers with nothing', async () => {
  const { call, document } = await serve();
  const { id } = await call('POST', '/pods', { status: 'active', locked: false });
  expect(await call('POST', `/pods/${id}/lifecycle/suspend`)).toBe(200);
  expect(await call('PUT', `/pods/${id}/lock`)).toBe(204);
  expect(await call('GET', `/pods/${id}`)).toMatchObject({ status: 'suspended', locked: true });
  expect(await call('DELETE', `/pods/${id}/lock`)).toBe(204);
  expect(await call('GET', `/pods/${id}`)).toMatchObject({ locked: false });
  expect(await call('POST', '/pods/99/lock')).toMatchObject({ status: 405 });
  const wake = document.operations.find(({ path }) => path.endsWith('/wake'));
  expect(wake?.actsOn).toBeUndefined();
});

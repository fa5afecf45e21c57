import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, vi } from 'vitest';
import { createSend } from '../support/create-send.ts';
import { bearer, startTwin } from '../support/twin.ts';

/** Uses what compiles schemas: parameters, bodies, items that are added, and snapshots. */
async function use(): Promise<void> {
  const { origin, api } = await startTwin();
  const send = async (method: string, url: string, body?: unknown) => {
    const { status, text } = await createSend(url, bearer('demo-free'))(method, '', body);
    expect(status, `${method} ${url}`).toBeLessThan(300);
    return text;
  };
  await send('GET', `${api}/pets?limit=1`);
  await send('POST', `${api}/pets`, '{"name":"Rex","categoryId":1}');
  await send('POST', `${origin}/__admin/data/pets`, '{"name":"Tom","categoryId":1}');
  await send('PUT', `${origin}/__admin/clock`, { action: 'freeze' });
  await send('PUT', `${origin}/__admin/snapshots/one`);
  const snapshot = await send('GET', `${origin}/__admin/snapshots/one`);
  await send('PUT', `${origin}/__admin/snapshots/two`, snapshot);
}

it('compiles no schema for a twin that another one of the process has compiled', async () => {
  await use();
  const compile = vi.spyOn(Ajv2020.prototype, 'compile');
  await use();
  const compiled = compile.mock.calls.length;
  compile.mockRestore();
  expect(compiled).toBe(0);
});

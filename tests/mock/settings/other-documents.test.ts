import { once } from 'node:events';
import { get } from 'node:http';
import { expect, it } from 'vitest';
import { toBanner } from '../../../mock/process/banner.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import { documentOf } from '../../support/document-of.ts';
import { bearer, startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

const library = documentOf(
  'listBooks: GET /books -> [{ id!: int, title! }]',
  {},
  {
    info: { title: 'Library', version: '1' },
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
    security: [{ key: [] }],
  },
);

async function startWith(...args: string[]) {
  const { config } = parseConfig(['--spec', await writeJson(library), ...args], {});
  if (!config) throw new Error('parseConfig gave no configuration');
  const twin = await startTwin({ ...config, port: 0 });
  const list = () => fetch(`${twin.api}/books`, { headers: bearer('demo-free') });
  return { ...twin, list, banner: () => toBanner(twin, config) };
}

it('begins with 5 items of another document, or with as many as are asked for', async () => {
  const twin = await startWith();
  expect(await (await twin.list()).json()).toHaveLength(5);
  expect(await twin.banner()).toContain('seed 1, 5 books');
  expect(await (await (await startWith('--items', '3')).list()).json()).toHaveLength(3);
  expect(await (await (await startWith('--pets', '4')).list()).json()).toHaveLength(4);
});

it('limits a document that states no limits only where that is asked for', async () => {
  const free = await startWith();
  expect((await free.list()).headers.get('X-RateLimit-Limit')).toBeNull();
  const limited = await startWith('--rate-limits', 'enforce');
  expect((await limited.list()).headers.get('X-RateLimit-Limit')).toBe('60');
  limited.app.clock.freeze(Date.UTC(2030, 0, 1));
  for (let call = 0; call < 60; call++) expect((await limited.list()).status).toBe(200);
  expect((await limited.list()).status).toBe(429);
  expect(await limited.banner()).toMatch(/Limits\S* +enforce\n/);
});

it('names the document in the challenge of a 407', async () => {
  const { api } = await startWith();
  const headers = { ...bearer('demo-free'), Prefer: 'code=407' };
  // fetch shows no 407.
  const [response] = await once(get(`${api}/books`, { headers }), 'response');
  response.resume();
  expect(response.statusCode).toBe(407);
  expect(response.headers['proxy-authenticate']).toBe('Basic realm="Library"');
});

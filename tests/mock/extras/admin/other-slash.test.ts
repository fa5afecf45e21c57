import { expect, it } from 'vitest';
import { bearer, shareTwin, startTwin } from '../../../support/twin.ts';
import { writeText } from '../../../support/write-json.ts';

const twin = await shareTwin();

type Answer = { code: string; message: string; status: number };

async function refusalOf(url: string): Promise<string> {
  const response = await fetch(url, { headers: bearer('demo-free') });
  const { code, message, status } = (await response.json()) as Answer;
  expect([response.status, code, status]).toEqual([404, 'unknown_path', 404]);
  return message;
}

it.each([
  ['/pets/', '/v1/pets'],
  ['/pets/?limit=5', '/v1/pets'],
  ['/pets/7/', '/v1/pets/7'],
  ['/Pets', '/v1/pets'],
  ['/PETS/7', '/v1/pets/7'],
  ['/Pets/', '/v1/pets'],
])('suggests the path without a final slash, and in lower case, for %s', async (path, right) => {
  expect(await refusalOf(twin.api + path)).toBe(
    `There is no operation at /v1${path.split('?')[0]}. Did you mean ${right}?`,
  );
});

it.each(['/pets//', '/', '/pets/7/x/', `/pets/${'7'.repeat(300)}/`])(
  'names no slash where that would not help: %s',
  async (path) => {
    expect(await refusalOf(twin.api + path)).toMatch(/\. The API is under \/v1\.$/);
  },
);

it('names a slash that is missing where the path of the document has one', async () => {
  const spec = await writeText(
    '{"openapi": "3.1.0", "servers": [{"url": "/api"}], "paths": {"/a.b/": {"get": {"responses": {"204": {}}}}}}',
  );
  const { api } = await startTwin({ spec, strictRequests: true });
  expect(await refusalOf(`${api}/a.b`)).toContain('Did you mean /api/a.b/?');
  expect(await refusalOf(`${api}/axb`)).toContain('The API is under /api.');
});

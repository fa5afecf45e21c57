import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createTwin } from '../../package/twin.ts';
import { openResponseJudge, verify } from '../../package/verify.ts';
import { jsonOf, toDocument } from '../support/serve-document.ts';
import { makeFolder } from '../support/watching.ts';

it('refers to files of other folders where code allows it', async () => {
  const folder = await makeFolder();
  await mkdir(join(folder, 'api'));
  await writeFile(join(folder, 'name.yaml'), '{ type: string, title: From outside }');
  const schema = { type: 'object', properties: { name: { $ref: '../name.yaml' } } };
  const responses = {
    200: jsonOf(schema),
  };
  const spec = join(folder, 'api/shop.json');
  await writeFile(
    spec,
    JSON.stringify(toDocument({ '/me': { get: { operationId: 'me', responses } } })),
  );
  const refusal = /shop\.json refers to "\.\.\/name\.yaml", which is /;
  await expect(openResponseJudge({ spec })).rejects.toThrow(refusal);
  for (const load of [createTwin, verify])
    await expect(load({ spec })).rejects.toThrow(/If you trust the document .* add allowRefs \//);
  const twin = await createTwin({ spec, allowRefs: folder });
  onTestFinished(() => twin.close());
  const served = await fetch(new URL('/__docs/openapi.json', twin.url));
  expect(await served.text()).toContain('From outside');
  expect((await verify({ spec, allowRefs: folder })).verdict).not.toBe('drift');
  await openResponseJudge({ spec, allowRefs: folder });
});

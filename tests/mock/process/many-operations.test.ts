import { expect, it } from 'vitest';
import { toBanner } from '../../../mock/process/banner.ts';
import { parseConfig } from '../../../mock/settings/config.ts';
import type { Config } from '../../../mock/settings/settings.ts';
import { startTwin } from '../../support/twin.ts';
import { writeJson } from '../../support/write-json.ts';

it('shows calls of the first 40 operations of many at the start', async () => {
  const paths = Array.from({ length: 45 }, (_, index) => [`/p${index}`, { get: {} }]);
  const spec = await writeJson({ openapi: '3.1.0', paths: Object.fromEntries(paths) });
  const { config } = parseConfig([], {});
  const lines = (await toBanner(await startTwin({ spec }), config as Config)).split('\n');
  expect(lines.filter((line) => line.includes('curl '))).toHaveLength(40);
  expect(lines.at(-2)?.trim()).toBe('and 5 more operations');
});

import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { projectFile } from '../support/twin.ts';
import { longestFiles } from './longest-first.ts';

it('names only test files that exist', () => {
  expect(longestFiles.filter((file) => !existsSync(projectFile(file)))).toEqual([]);
});

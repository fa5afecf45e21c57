import { readFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createTwin } from '../../package/twin.ts';
import { formatReport, verify } from '../../package/verify.ts';
import { openDeployment } from '../../tools/lab/deployment.ts';
import { projectFile } from '../support/twin.ts';
import { rowOf } from '../support/verify-deployment.ts';

/** The blocks of a page in TypeScript that use the package; those of test runners are excerpts. */
async function blocksOf(page: string): Promise<string[]> {
  const text = await readFile(projectFile(page), 'utf8');
  return [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
}

const AsyncFunction = (async () => {}).constructor as new (
  ...code: string[]
) => (...values: unknown[]) => Promise<unknown>;

/** Runs code with these values in place of its imports, and gives the value of `result`. */
function run(code: string, values: Record<string, unknown>, result = ''): Promise<unknown> {
  const body = `${code.replace(/^import .*$/gm, '')}\n${result && `return ${result};`}`;
  return new AsyncFunction(...Object.keys(values), body)(...Object.values(values));
}

async function openTwin() {
  const twin = await createTwin();
  onTestFinished(() => twin.close());
  return twin;
}

it('shows lines for a twin in docs/library.md that work', async () => {
  const [start = '', control = '', suite = '', ...rest] = await blocksOf('docs/library.md');
  expect(rest).toEqual([]);
  expect(await run(start, { createTwin }, 'twin.url')).toMatch(/^http:.+\/v1$/);
  const twin = await openTwin();
  await run(control, { twin });
  expect(await twin.faults.list()).toMatchObject([{ operation: 'listPets', every: 3 }]);
  const { url, close } = await openDeployment(rowOf('list-limit-ignored'));
  onTestFinished(close);
  const printed: string[] = [];
  const values = {
    verify,
    formatReport,
    url,
    console: { log: (text: string) => printed.push(text) },
  };
  await run(suite.replace("'K1'", "'k-free-1'").replace("'K2'", "'k-pro-1'"), values);
  expect(printed.join()).toContain('page-size');
});

it('shows lines for data in docs/data.md that work', async () => {
  const twin = await openTwin();
  const [block = '', ...rest] = await blocksOf('docs/data.md');
  expect(rest).toEqual([]);
  await run(block, { twin });
  expect(await twin.data.list('pets')).toEqual([]);
});

it('shows lines in docs/forward.md that forward the operations that they name', async () => {
  const staging = await openTwin();
  const [block = '', ...rest] = await blocksOf('docs/forward.md');
  expect(rest).toEqual([]);
  const code = block.replace('https://staging.example.com/v1', staging.url);
  expect(code).not.toBe(block);
  const call =
    "(await fetch(twin.url + '/pets?limit=3', { headers: { Authorization: 'Bearer demo-free' } })).status";
  const process = { env: { STAGING_KEY: 'demo-pro' } };
  expect(await run(code, { createTwin, process }, call)).toBe(200);
  expect(await staging.requests({})).toMatchObject([{ operation: 'listPets' }]);
});

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { addPeer, type Consumer } from '../support/consumer.ts';

type RunTest = { title: string; status: string };

/** The tests of a file of the consumer, as Vitest ran them there. */
export type TestsOf = (file: string) => Promise<RunTest[]>;

const home = 'node_modules/petstore-twin';
const examples = ['vitest/keep-contract.test.ts', 'shop/shop.test.ts', 'msw/pets.test.ts'].map(
  (name) => `examples/${name}`,
);
const needed = ['shop/openapi.yaml', 'shop/behaviours.ts'].map((name) => `examples/${name}`);

/**
 * Gives a function that runs every test that is for Vitest in the consumer, once, and these by their
 * files: to start Vitest takes longer than the tests.
 */
export function useVitest(consumer: () => Consumer, more: Record<string, string>): TestsOf {
  let run: ReturnType<typeof runVitest> | undefined;
  return async (file) => {
    run ??= runVitest(consumer(), more);
    const found = (await run).find(({ name }) => name.endsWith(`/${file}`));
    expect(found?.status, found?.message).toBe('passed');
    return found?.assertionResults ?? [];
  };
}

type RunFile = { name: string; status: string; message: string; assertionResults: RunTest[] };

async function runVitest(consumer: Consumer, more: Record<string, string>): Promise<RunFile[]> {
  for (const name of ['vitest', 'playwright', 'msw']) addPeer(consumer, name);
  const placeOf = (file: string) => join(consumer.folder, file);
  const readme = readFileSync(placeOf(`${home}/README.md`), 'utf8');
  const [, snippet = ''] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  const written = { ...more, 'readme.test.ts': snippet };
  for (const [file, text] of Object.entries(written)) writeFileSync(placeOf(file), text);
  for (const path of [...examples, ...needed]) {
    mkdirSync(dirname(placeOf(path)), { recursive: true });
    copyFileSync(placeOf(`${home}/${path}`), placeOf(path));
  }
  const { code, out, err } = await consumer.run('node', [
    ...['node_modules/vitest/vitest.mjs', 'run', ...Object.keys(written), ...examples],
    ...['--reporter=default', '--reporter=json', '--outputFile.json=vitest.json'],
  ]);
  expect(code, out + err).toBe(0);
  return JSON.parse(readFileSync(placeOf('vitest.json'), 'utf8')).testResults;
}

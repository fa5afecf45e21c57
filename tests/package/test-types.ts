import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addPeer, type Consumer } from '../support/consumer.ts';
import { itInAll as it } from '../support/sample.ts';
import { projectFile } from '../support/twin.ts';
import { copyExample } from './test-examples.ts';

/** The errors that a compiler finds in files of the consumer, one line each. */
async function typeErrors(
  consumer: Consumer,
  compiler: string,
  options: object,
  files: string[],
): Promise<string[]> {
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', ...options };
  writeConsumed(consumer, 'tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const args = [projectFile(compiler), '-p', '.', '--pretty', 'false'];
  const { out, err } = await consumer.run('node', args);
  expect(err).toBe('');
  return out.split('\n').filter((line) => /^\S/.test(line));
}

function writeConsumed(consumer: Consumer, name: string, text: string): void {
  writeFileSync(join(consumer.folder, name), text);
}

const typescripts = {
  '7': 'node_modules/typescript/bin/tsc',
  '5': 'tools/openapi-types/node_modules/typescript/bin/tsc',
};

const useAll = ['petstore-twin', 'petstore-twin/verify', 'petstore-twin/types']
  .map((name, at) => `export * as one${at} from '${name}';\n`)
  .join('');
const ofEachKind = ['use.mts', 'use.cts'];

/** Tests the types of the package where it is installed. */
export function testTypes(consumerOf: () => Consumer): void {
  it.each([
    ['7', 'nodenext', []],
    ['7', 'bundler', []],
    ['5', 'nodenext', []],
    ['5', 'nodenext', ['node']],
    ['5', 'bundler', []],
    ['5', 'node10', []],
  ] as const)(
    'is typed whole with TypeScript %s, whose modules are those of %s, and the types %j',
    async (typescript, moduleResolution, types) => {
      const consumer = consumerOf();
      for (const name of types) addPeer(consumer, `@types/${name}`);
      const uses = moduleResolution === 'nodenext' ? ofEachKind : ['use.ts'];
      for (const file of uses) writeConsumed(consumer, file, useAll);
      writeConsumed(
        consumer,
        'wrong.ts',
        `import { createTwin } from 'petstore-twin';
         import { verify } from 'petstore-twin/verify';
         createTwin({ seed: '7' });
         verify({ seed: '7' });`,
      );
      writeConsumed(
        consumer,
        'globals.d.ts',
        'declare const process: { env: Record<string, string>; exitCode: number };',
      );
      // The examples need no types of Node.
      const isPlain = moduleResolution === 'nodenext' && types.length === 0;
      const examples = ['verify-release.ts', 'typed-client.ts'].map((name) =>
        copyExample(consumer, name),
      );
      const files = [...uses, ...(isPlain ? ['globals.d.ts', ...examples] : []), 'wrong.ts'];
      const lib = ['es2022', 'dom', 'dom.iterable'];
      const modules = moduleResolution === 'nodenext' ? {} : { module: 'esnext', moduleResolution };
      const options = { target: 'es2022', lib, types, skipLibCheck: false, ...modules };
      const wrong = /^wrong\.ts.*Type 'string' is not assignable to type 'number'/;
      expect(await typeErrors(consumer, typescripts[typescript], options, files)).toEqual([
        expect.stringMatching(wrong),
        expect.stringMatching(wrong),
      ]);
    },
  );

  it('types what is for Vitest and Playwright where they are installed', async () => {
    const consumer = consumerOf();
    const examples = [
      ...['vitest/keep-contract.test.ts', 'shop/shop.test.ts', 'shop/behaviours.ts', 'backoff.ts'],
      'playwright/page.spec.ts',
    ].map((name) => copyExample(consumer, name));
    for (const name of ['vitest', 'playwright', '@types/node']) addPeer(consumer, name);
    const compiler = 'node_modules/typescript/bin/tsc';
    const lib = ['es2023', 'esnext.disposable', 'dom'];
    const options = { target: 'es2023', lib, types: ['node'] };
    // The other imports are typed with the types of Node in the same program.
    for (const file of ofEachKind) writeConsumed(consumer, file, useAll);
    writeConsumed(
      consumer,
      'wrong.ts',
      "import { expect } from 'vitest';\nimport 'petstore-twin/vitest';\nawait expect(new Response()).toKeepContract(7);",
    );
    expect(
      await typeErrors(consumer, compiler, options, [...examples, ...ofEachKind, 'wrong.ts']),
    ).toEqual([
      expect.stringContaining(
        "Argument of type '7' is not assignable to parameter of type 'OperationId'",
      ),
    ]);
  });
}

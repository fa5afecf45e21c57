import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { addPeer, type Consumer } from '../support/consumer.ts';
import { isWhole, itInAll } from '../support/sample.ts';
import type { TestsOf } from './use-vitest.ts';

const bin = 'node_modules/.bin/petstore-twin';
const home = 'node_modules/petstore-twin';

const imports = {
  '.': 'twin',
  './playwright': 'playwright',
  './verify': 'verify',
  './vitest': 'vitest',
};

/** A test of Vitest that each import gives the same as the module behind it. */
export const importsTest = `import { expect, it } from 'vitest';
it.each(${JSON.stringify(Object.entries(imports))})('%s', async (path, name) => {
  const given = await import('petstore-twin' + path.slice(1));
  expect(Object.keys(given)).not.toEqual([]);
  expect({ ...given }).toEqual({ ...(await import('./${home}/dist/package/' + name + '.js')) });
});`;

/** The message on an older Node, whatever imports the package. */
function toOldNodeMessage(needed: string, running: string): string {
  return `petstore-twin needs Node ${needed} or later, but this is Node ${running}. Update Node, or run "npm install --save-dev node@24" in your project: npx and the scripts of npm then use that one. Its install script must run: allow it where --ignore-scripts or "allowScripts" of npm keeps it from running, and then run "npm rebuild node".`;
}

const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return /^v(18|20|22)\./.test(stdout ?? '');
});

/** Tests each import of an installed package, and the message on an older Node. */
export function testImports(consumer: () => Consumer, testsOf: TestsOf): void {
  itInAll('gives the same by each import as the module behind it', async () => {
    const tests = await testsOf('imports.test.ts');
    expect(tests.map(({ title, status }) => [title, status])).toEqual(
      Object.keys(imports).map((path) => [path, 'passed']),
    );
  });

  itInAll('refuses a Node that is too old, before it loads what such a Node cannot', async () => {
    const file = join(consumer().folder, home, 'package.json');
    const text = readFileSync(file, 'utf8');
    onTestFinished(() => writeFileSync(file, text));
    for (const name of ['vitest', 'playwright']) addPeer(consumer(), name);
    const [major = '', minor = ''] = process.versions.node.split('.');
    const demand = (needed: string) =>
      writeFileSync(
        file,
        JSON.stringify({ ...JSON.parse(text), engines: { node: `>=${needed}` } }),
      );
    for (const needed of [`${major}.${Number(minor) + 1}`, `${Number(major) + 1}.0`]) {
      demand(needed);
      const message = toOldNodeMessage(needed, process.versions.node);
      expect(await consumer().run(bin, ['mock', '--version'])).toEqual({
        code: 2,
        out: '',
        err: `${message}\n`,
      });
      for (const path of Object.keys(imports)) {
        const { code, err } = await runModule(consumer(), `import 'petstore-twin${path.slice(1)}'`);
        expect(code).toBe(1);
        expect(err).toContain(`Error: ${message}`);
        expect(err).not.toMatch(/^ +at /m);
      }
    }
    for (const needed of [`${major}.${minor}`, `${Number(major) - 1}.99`]) {
      demand(needed);
      expect(await consumer().run(bin, ['mock', '--version'])).toMatchObject({ code: 0 });
      expect(await runModule(consumer(), "import 'petstore-twin'")).toMatchObject({
        code: 0,
        err: '',
      });
    }
  });

  it.runIf(isWhole && oldNode !== undefined)('says so in a Node that is too old', async () => {
    const version = spawnSync(oldNode as string, ['--version'], { encoding: 'utf8' }).stdout.trim();
    const message = toOldNodeMessage(packageJson.engines.node.slice(2), version.slice(1));
    const run = (...args: string[]) => consumer().run(oldNode as string, args);
    expect(await run(bin, 'mock')).toEqual({ code: 2, out: '', err: `${message}\n` });
    for (const name of ['petstore-twin', 'petstore-twin/verify']) {
      const { code, err } = await run('--input-type=module', '--eval', `import '${name}'`);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`Error: ${message}`) });
    }
  });
}

function runModule({ run }: Consumer, text: string) {
  return run('node', ['--input-type=module', '--eval', text]);
}

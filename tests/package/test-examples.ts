import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { findBrowser } from '../support/browser.ts';
import { addPeer, type Consumer } from '../support/consumer.ts';
import { itInAll as it } from '../support/sample.ts';
import { projectFile, startTwin } from '../support/twin.ts';
import type { TestsOf } from './use-vitest.ts';

/** Copies an example of the package beside it, and gives its path there. */
export function copyExample(consumer: Consumer, name: string): string {
  const path = `examples/${name}`;
  mkdirSync(dirname(join(consumer.folder, path)), { recursive: true });
  const file = join(consumer.folder, 'node_modules/petstore-twin', path);
  copyFileSync(file, join(consumer.folder, path));
  return path;
}

/** Tests that the examples of the package run where it is installed. */
export function testExamples(consumerOf: () => Consumer, testsOf: TestsOf): void {
  it('runs its examples, typed', async () => {
    const consumer = consumerOf();
    const { api } = await startTwin();
    const scripts = [
      copyExample(consumer, 'verify-release.ts'),
      copyExample(consumer, 'typed-client.ts'),
    ];
    const verified = await consumer.run('node', [scripts[0] as string], {
      STAGING_BASE_URL: api,
      STAGING_KEY: 'demo-business',
    });
    expect(verified).toEqual({ code: 0, out: `The verdict on ${api} is clean.\n`, err: '' });
    expect(await consumer.run('node', [scripts[0] as string], { STAGING_BASE_URL: '' })).toEqual({
      code: 2,
      out: '',
      err: 'Not verified: Set STAGING_BASE_URL and STAGING_KEY.\n',
    });
    const refused = await consumer.run('node', [scripts[0] as string], {
      STAGING_BASE_URL: api,
      STAGING_KEY: 'wrong',
    });
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toMatch(/^Not verified: .+\n$/);
    expect(refused.err).not.toContain('--');

    writeFileSync(
      join(consumer.folder, 'use-client.ts'),
      `import { listPets } from './examples/typed-client.ts';
       const [rex] = await listPets('${api}', { key: 'demo-free', query: { limit: 1, status: 'available' } });
       console.log(rex?.name);`,
    );
    expect(await consumer.run('node', ['use-client.ts'])).toEqual({
      code: 0,
      out: 'Rex\n',
      err: '',
    });

    for (const example of [
      'vitest/keep-contract.test.ts',
      'shop/shop.test.ts',
      'msw/pets.test.ts',
    ]) {
      const tests = await testsOf(`examples/${example}`);
      expect(tests.map(({ status }) => status)).toEqual(tests.map(() => 'passed'));
    }
  });

  it('meets a 429 with its example of a patient client, and recovers', async () => {
    const consumer = consumerOf();
    const { code, out, err } = await consumer.run('node', [copyExample(consumer, 'backoff.ts')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trim().split('\n');
    expect(lines.filter((line) => line.startsWith('call'))).toEqual([
      'call 1: 200, 2 left',
      'call 2: 200, 1 left',
      'call 3: 200, 0 left',
      'call 4: 200, 2 left',
      'call 5: 200, 1 left',
    ]);
    expect(lines[3]).toMatch(/^429: waiting \d+ s$/);
  });

  it('gives its example of a patient client to who imports it, and starts nothing', async () => {
    const consumer = consumerOf();
    copyExample(consumer, 'backoff.ts');
    writeFileSync(
      join(consumer.folder, 'use-backoff.ts'),
      "import { fetchPatiently } from './examples/backoff.ts';\nconsole.log(typeof fetchPatiently);",
    );
    expect(await consumer.run('node', ['use-backoff.ts'])).toEqual({
      code: 0,
      out: 'function\n',
      err: '',
    });
  });

  it('tests a page in a browser, and runs what the workflow runs', async () => {
    const consumer = consumerOf();
    addPeer(consumer, 'playwright');
    for (const name of ['playwright/index.html', 'playwright/page.spec.ts'])
      copyExample(consumer, name);
    const launchOptions = {
      executablePath: findBrowser(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    };
    writeFileSync(
      join(consumer.folder, 'playwright.config.ts'),
      `export default { reporter: 'line', expect: { timeout: 30_000 }, workers: 2, fullyParallel: true, testMatch: '*.spec.ts', use: ${JSON.stringify({ launchOptions })} };`,
    );
    const commands = readFileSync(projectFile('examples/workflow.yml'), 'utf8')
      .matchAll(/^ *- run: (.+)$/gm)
      .map(([, command = '']) => command)
      .toArray();
    const isInstall = (command: string) =>
      command === 'npm ci' || command.startsWith('npx playwright install');
    expect(commands.filter((command) => !isInstall(command))).toHaveLength(2);
    const [tested, verified] = commands.filter((command) => !isInstall(command)) as [
      string,
      string,
    ];

    const page = await consumer.run(
      'sh',
      ['-c', tested.replace('npx playwright', 'node node_modules/playwright/cli.js')],
      { NO_COLOR: '1' },
    );
    expect(page.out + page.err).toMatch(/5 passed/);
    expect(page.code).toBe(0);

    const { api } = await startTwin();
    const contract = await consumer.run(
      'sh',
      ['-c', verified.replace('npx ', './node_modules/.bin/')],
      { STAGING_BASE_URL: api, FREE_KEY: 'demo-free', PRO_KEY: 'demo-pro' },
    );
    expect(contract.code, contract.out + contract.err).toBe(0);
    expect(readFileSync(join(consumer.folder, 'verify.xml'), 'utf8')).toContain('<testsuites');
  });
}

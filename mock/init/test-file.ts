import { type Case, toCode } from './first-test.ts';

/** A runner of tests that a first test can be written for. */
export type Runner = {
  /** Packages of a project that has it. */
  packages: readonly string[];
  file: string;
  command: string;
  /** Returns the beginning of the test file, by the options of the mock in code. */
  toHead: (options: string) => string;
  /** The arguments of a test. */
  given: string;
  test: 'it' | 'test';
};

/** Starts the mock in the process of the tests. */
const toHooks = (options: string, type: string) => `
// Give twin.url to your client, or twin.fetch; without "listen: false" the mock also listens on a free port.
let twin${type};
beforeAll(async () => {
  twin = await createTwin({ ${options}, listen: false });
}, 60_000);
afterAll(() => twin.close());
// Each test begins with the same items, limits and clock.
beforeEach(() => twin.reset());
`;

/** The runners, the preferred one first. */
export const runners: readonly [Runner, ...Runner[]] = [
  {
    packages: ['vitest'],
    file: 'twin.test.ts',
    command: 'npx vitest run',
    toHead: (options) => `import { createTwin, type Twin } from 'petstore-twin';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
${toHooks(options, ': Twin')}`,
    given: '',
    test: 'it',
  },
  {
    packages: ['jest'],
    file: 'twin.test.mjs',
    command: 'NODE_OPTIONS=--experimental-vm-modules npx jest',
    toHead: (options) => `import { createTwin } from 'petstore-twin';
${toHooks(options, '')}`,
    given: '',
    test: 'it',
  },
  {
    packages: ['@playwright/test', 'playwright'],
    file: 'twin.spec.ts',
    command: 'npx playwright test',
    toHead: (options) => `import { expect, test } from 'petstore-twin/playwright';

// Each worker starts a mock, and each test has a sandbox of its own. Give twin.url to your page.
test.use({ twinSettings: { ${options} } });
`,
    given: '{ twin }',
    test: 'test',
  },
];

/** Tests a document of which no call succeeds with made values. */
const nothing: Case = {
  title: 'the mock starts',
  body: ['expect(await twin.requests()).toEqual([]);'],
};

/** Returns the text of a test file. `settings` are the options of the mock. */
export function toTestFile(
  cases: readonly Case[],
  settings: Readonly<Record<string, string>>,
  { toHead, given, test }: Runner,
): string {
  const options = Object.entries(settings).map(([name, text]) => `${name}: ${toCode(text)}`);
  const tests = (cases.length > 0 ? cases : [nothing]).map(({ title, body }) => {
    const lines = body.join('\n').replaceAll(/^(?=.)/gm, '  ');
    return `\n${test}(${toCode(title)}, async (${given}) => {\n${lines}\n});\n`;
  });
  return `// A first test against the mock. It passes as it is; put your client in place of twin.fetch.
${toHead(options.join(', '))}${tests.join('')}`;
}

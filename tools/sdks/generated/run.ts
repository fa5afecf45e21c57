import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Contender } from '../../bench/server-process.ts';
import { startPeer } from '../../corpus/start-peer.ts';
import type { GeneratedLab } from './labs.ts';
import { type PreparedTests, python, steady } from './prepare.ts';

/** How the tests of an SDK went; those that it skips itself count for nothing. */
export type TestCount = { passed: number; failed: number };

/** A mock's tests of an SDK; undefined where the mock did not start. */
export type GeneratedResult = {
  lab: GeneratedLab;
  byMock: Readonly<Record<string, TestCount | undefined>>;
};

/** The steady of a lab, told how the SDK writes arrays and objects. */
export function steadyOf({ arrays }: GeneratedLab, file: string): Contender {
  const forms = ['query', 'form'].flatMap((place) => [
    `--validator-${place}-array-format=${arrays}`,
    `--validator-${place}-object-format=brackets`,
  ]);
  const args = (port: number) => [steady, '--host', '127.0.0.1', '-p', `${port}`, ...forms, file];
  return { name: 'steady', basePath: '', args };
}

/** Runs the tests of an SDK against a mock. */
export async function runTests(
  mock: Contender,
  { tests }: Pick<PreparedTests, 'tests'>,
): Promise<TestCount | undefined> {
  const server = await startPeer(mock, 5).catch(() => undefined);
  if (!server) return undefined;
  try {
    const args = ['-m', 'pytest', 'tests/api_resources', '-q', '-n', '2', '--tb=no'];
    const env = { ...process.env, TEST_API_BASE_URL: server.base };
    const child = spawn(python, args, { cwd: tests, env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return toCount(printed);
  } finally {
    server.stop();
  }
}

/** Reads the last line of pytest, such as `2 failed, 40 passed, 9 skipped in 3.1s`. */
export function toCount(printed: string): TestCount {
  const last = printed.trim().split('\n').at(-1) ?? '';
  const count = (word: string) => Number(new RegExp(`(\\d+) ${word}`).exec(last)?.[1] ?? 0);
  return { passed: count('passed'), failed: count('failed') + count('errors?') };
}

/** The part of the page on generated SDKs, in Markdown. */
export function toGeneratedPart(results: readonly GeneratedResult[], date: string): string {
  const mocks = Object.keys(results[0]?.byMock ?? {});
  const rows = results.map(({ lab, byMock }) => {
    const counts = mocks.map((mock) => byMock[mock]);
    const [first] = counts;
    const cells = counts.map((one) => (one ? `${one.passed}` : 'does not start in 5 minutes'));
    const { repository, commit, file } = lab.document;
    const source = `[\`${file}\`](https://github.com/${repository}/blob/${commit}/${file})`;
    const all = (first?.passed ?? 0) + (first?.failed ?? 0);
    return `| ${[lab.service, `\`${lab.sdk}\` ${lab.version}`, source, all, ...cells].join(' | ')} |`;
  });
  return `${generatedHeading}

SDKs that [Stainless](https://www.stainless.com) generates come with tests of each operation, which call a mock without state and
check the types of what it answers. Their own tests, unchanged, with the document of their own repository, on ${date}; tests that
an SDK skips itself are left out. Prism and steady are the mocks that these SDKs are developed with; steady is told how each writes
arrays.

| service | SDK | document | tests | ${mocks.join(' | ')} |
| --- | --- | --- | --- |${mocks.map(() => ' --- |').join('')}
${rows.join('\n')}

To do the same, start the mock with the SDK's document and give its URL to the tests:

\`\`\`sh excerpt
npx petstore-twin mock --spec openapi.yml --stateless
TEST_API_BASE_URL=http://127.0.0.1:4010 ./scripts/test
\`\`\`

In a checkout, \`npm run sdks -- --generated\` runs these tests alone and writes this part of the page; it needs git and Python 3.
`;
}

/** The heading of that part, which is the last one of the page. */
export const generatedHeading = '## Generated SDKs';

import { expect, it } from 'vitest';
import { UsageError } from '../../../common/cli/usage-error.ts';
import { readRunOptions } from '../../../contracts/command/options.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { proKey, startDeployment, useVerify } from '../../support/verify-command.ts';
import { parseOptions } from '../../support/verify-options.ts';

const run = useVerify();

it.each([
  ['https://docs.example.com/petstore', 'https://docs.example.com/petstore/'],
  ['http://127.0.0.1:4010/__docs/', 'http://127.0.0.1:4010/__docs/'],
  ['https://docs.example.com/petstore/index.html', 'https://docs.example.com/petstore/index.html'],
  ['https://docs.example.com', 'https://docs.example.com/'],
])('takes %s for an address of the reference', (given, docs) => {
  expect(parseOptions(['--docs', given])).toMatchObject({ docs });
  expect(readRunOptions({ docs: given })).toMatchObject({ docs });
});

it.each([
  ['javascript:alert(1)', 'must be an http or https URL'],
  ['file:///etc/passwd', 'must be an http or https URL'],
  ['docs/interface', 'must be an http or https URL'],
  ['', 'must be an http or https URL'],
  [
    'https://me:hunter2@docs.example.com/',
    'must be a URL without a user name, password, query or fragment',
  ],
  [
    'https://docs.example.com/a?token=hunter2',
    'must be a URL without a user name, password, query or fragment',
  ],
  [
    'https://docs.example.com/#4.2',
    'must be a URL without a user name, password, query or fragment',
  ],
])('refuses %j as an address of the reference, and repeats no secret', (given, message) => {
  expect(() => parseOptions([`--docs=${given}`])).toThrow(`--docs ${message}`);
  expect(() => readRunOptions({ docs: given })).toThrow(`docs ${message}`);
  try {
    parseOptions([`--docs=${given}`]);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).not.toContain('hunter2');
  }
});

it('links findings, clauses and silences, and repeats no key in a link', async () => {
  const { url } = await startDeployment();
  const { code, out } = await run([
    ...['--target', url, '--key', proKey, '--no-mock', '--no-probe-limits', '--read-only'],
    ...['--only', 'listPets', '--docs', `https://docs.example.com/${proKey}`, '--json', '-'],
  ]);
  expect(code).toBe(0);
  const { clauses, silences } = JSON.parse(out) as Report;
  const docs = 'https://docs.example.com/$KEY/';
  expect(clauses.find(({ id }) => id === 'page-size')?.url).toBe(`${docs}#page-size`);
  expect(clauses.find(({ id }) => id === 'head-as-get')?.url).toBe(
    'https://www.rfc-editor.org/rfc/rfc9110#section-9.1',
  );
  expect(silences[0]?.url).toBe(`${docs}silences.html#limit-out-of-range`);
  expect(out).not.toContain(proKey);
});

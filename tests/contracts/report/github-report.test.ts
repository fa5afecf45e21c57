import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appendStepSummary } from '../../../contracts/command/write-reports.ts';
import type { Report } from '../../../contracts/report/events.ts';
import { toGithubReport } from '../../../contracts/report/github.ts';
import { toHeadline } from '../../../contracts/report/headline.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { drifted, hostile, reportFull, reportOf } from '../../support/report.ts';

const lax = { strict: false };

function annotationsOf(report: Report, options = lax): string[] {
  return toGithubReport(report, options).trimEnd().split('\n');
}

function fileOf(text?: string): string {
  const folder = makeFolder();
  const file = join(folder, 'summary.md');
  if (text !== undefined) writeFileSync(file, text);
  return file;
}

it('writes an annotation for each clause that is broken, an error where it fails the run', () => {
  const report = reportOf([
    {},
    { verdict: 'standard', check: 'challenge' },
    { verdict: 'undocumented', check: 'described-status' },
    { verdict: 'known', check: 'filter' },
    { verdict: 'difference', check: 'comparison' },
    { verdict: 'difference', check: 'comparison' },
  ]);
  const levels = (options = lax) =>
    annotationsOf(report, options).map((line) => line.split(' title=')[0]);
  expect(levels()).toEqual(['::error', '::warning', '::warning', '::notice', '::warning']);
  expect(levels({ strict: true })[1]).toBe('::error');
  expect(annotationsOf(drifted)[0]).toBe(
    '::error title=drift%3A success-status::target, listPets and 1 more: listPets answers a valid call with another status than the stated one' +
      '%0A- the status is 204%0A- and 2 more' +
      '%0Aclause: A valid call is answered with exactly the stated success status. §4.1, §4.2 (stated)' +
      '%0Adocs: https://docs.test/petstore/#success-status' +
      '%0Aexpected: 200%0Agot: 204%0Aseen: 3 times, on listPets (2), createPet (1)' +
      '%0Asent: GET /v1/pets?limit=1 {"name":"Rex"}' +
      '%0Areceived: 204  Content-Type: application/json  {"id":1}' +
      '%0Acauses: body-schema, §2, §4 (stated): listPets answers with a body that breaks its schema (2 times)' +
      `%0Acurl -i -X POST 'http://127.0.0.1:8080/v1/pets'` +
      `%0Acurl -i -H "Authorization: Bearer $KEY" 'http://127.0.0.1:8080/v1/pets?limit=1'`,
  );
});

it('tells the findings of one clause in one annotation', () => {
  const [first, second, third] = annotationsOf(
    reportOf([
      { message: 'listPets answers 500' },
      { message: 'HEAD is not answered', check: 'head-as-get', verdict: 'standard' },
      { message: 'getPet answers 500', operation: 'getPet', count: 4 },
    ]),
  );
  expect(first).toContain('::target, listPets and 1 more: listPets answers 500%0A');
  expect(first).toContain('%0Aalso: getPet answers 500 (4 times)%0A');
  expect(second).toMatch(/^::warning title=standard%3A head-as-get::/);
  expect(third).toMatch(/^::warning title=Contract%3A drift::/);
});

it('writes ten annotations at most, as GitHub shows no more, the last of which sums up', () => {
  const checks = Array.from({ length: 14 }, (_, index) => ({
    check: `check-${index}`,
    message: `finding ${index}`,
  }));
  const others = (['standard', 'difference', 'difference'] as const).map((verdict) => ({
    verdict,
    check: 'challenge',
  }));
  const report = reportOf([...checks, ...others]);
  const lines = annotationsOf(report);
  expect(lines).toHaveLength(10);
  expect(lines[8]).toContain('finding 8');
  expect(lines[9]).toBe(
    `::error title=Contract%3A drift::${toHeadline(report, lax)}` +
      '%0A6 more: check-9 (drift), check-10 (drift), check-11 (drift), check-12 (drift), ' +
      'check-13 (drift), challenge (standard)' +
      '%0Atarget: 3 cases were not made, as the quota of the keys is short' +
      '%0Aundecided: challenge' +
      '%0A2 differences where the interface states nothing',
  );
});

it('lets nothing from a target end an annotation or begin another', () => {
  const text = toGithubReport(reportFull(hostile), lax);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028]/u);
  expect(text).not.toContain('%0A::stop');
  expect(text).toContain('%250A::stop-commands');
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(/^::(error|warning|notice) title=(?:[^:,]|%3A|%2C)+::/);
});

it('appends the report to the step summary', async () => {
  const fresh = fileOf();
  await appendStepSummary(fresh, drifted, lax);
  expect(readFileSync(fresh, 'utf8')).toMatch(/^## ❌ Contract: drift\n/);
  const begun = fileOf('# Tests\nall passed');
  await appendStepSummary(begun, drifted, lax);
  expect(readFileSync(begun, 'utf8')).toMatch(
    /^# Tests\nall passed\n\n## ❌ Contract: drift\n.*<sub>/s,
  );
});

it('keeps the summary within the MiB that GitHub takes, in bytes, and says what it left out', async () => {
  const many = reportOf(
    Array.from({ length: 4000 }, (_, at) => ({
      message: `${at} ${'犬'.repeat(300)}`,
      actual: 'ö'.repeat(900),
    })),
  );
  const fresh = fileOf();
  await appendStepSummary(fresh, many, lax);
  const text = readFileSync(fresh, 'utf8');
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_048_576);
  expect(Buffer.byteLength(text)).toBeGreaterThan(1_000_000);
  expect(text).toMatch(/_\d+ more did not fit here: see the JSON or HTML report\._/);
  const begun = fileOf('x'.repeat(1_000_000));
  await appendStepSummary(begun, many, lax);
  expect(readFileSync(begun).length).toBeLessThanOrEqual(1_048_576);
});

it('says why a summary cannot be written', async () => {
  const file = fileOf();
  await expect(appendStepSummary(join(file, 'none'), drifted, lax)).rejects.toThrow(
    `The report could not be added to GITHUB_STEP_SUMMARY (${join(file, 'none')}): ENOENT.`,
  );
});

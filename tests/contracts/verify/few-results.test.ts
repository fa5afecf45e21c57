import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { filter } from '../../../contracts/checks/filter.ts';
import { checks } from '../../../contracts/checks/index.ts';
import { toJsonReport } from '../../../contracts/report/json.ts';
import { toTerminalReport } from '../../../contracts/report/terminal/terminal.ts';
import { createTwin } from '../../../package/twin.ts';
import { verify } from '../../../package/verify.ts';
import { documentOf } from '../../support/document-of.ts';
import { everyNth } from '../../support/sample.ts';
import { projectFile } from '../../support/twin.ts';
import { resultOf, verifyDeployment } from '../../support/verify-deployment.ts';
import { writeJson } from '../../support/write-json.ts';

const deployment = { settings: { animals: 3 } };

it('says what a deployment with three animals cannot show, and how many it takes', async () => {
  const { report } = await verifyDeployment(deployment, { only: ['page-size', 'filter'] });
  expect(report).toMatchObject({ verdict: 'clean', incomplete: [] });
  expect(resultOf(report, 'page-size')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(
      /^only \d+ items could be seen; testing the maximum of 100 takes 100$/,
    ),
  });
});

it('tries all of a deployment with three animals where it may add some', async () => {
  const { report } = await verifyDeployment(deployment, { only: ['page-size'], fill: true });
  expect(report).toMatchObject({ verdict: 'clean', incomplete: [] });
  expect(resultOf(report, 'page-size')).toMatchObject({ verdict: 'kept' });
});

const names = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf'];
const document = documentOf(`
  Thing: { readonly id!: int, name!, ${names.join(', ')} }
  GET /things -> [Thing]
  POST /things Thing -> 201 Thing, 400 any
  GET /things/{id} -> Thing, 404 any
  PUT /things/{id} Thing -> Thing, 404 any
  PATCH /things/{id} Thing -> Thing, 404 any
  DELETE /things/{id} -> 204, 404 any
`);

it('tells properties of items from those that all objects have', async () => {
  const spec = await writeJson(document);
  const twin = await createTwin({ spec });
  onTestFinished(() => twin.close());
  for (const body of [{ name: 'a' }, { name: 'b', constructor: 'x', toString: 'y' }])
    await fetch(`${twin.url}/things`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const target = { url: twin.url, keys: [] };
  const { defects, findings } = await verify({ target, spec, allowWrites: true });
  expect([defects, findings]).toEqual([[], []]);
});

const settings = { probeLimits: true, fill: true };
const whole: { report?: Awaited<ReturnType<typeof verifyDeployment>> } = {};
const verifyWhole = async () => (whole.report ??= await verifyDeployment({}, settings));

it('sends for page-size lists, limits out of range and items alone, and reads no silence', async () => {
  const { report, calls } = await verifyDeployment({}, { ...settings, only: ['page-size'] });
  const { report: all } = await verifyWhole();
  expect(calls).toBeLessThan(160);
  expect(resultOf(report, 'page-size')).toMatchObject({ verdict: 'kept' });
  expect(report.operations.filter(({ results }) => results.target?.calls).length).toBe(2);
  expect(report.silences).toEqual([]);
  expect(report.notCalled).toEqual([]);
  expect(all.silences.length).toBeGreaterThan(19);
});

const declared = checks.filter(({ needsCases }) => needsCases !== undefined).map(({ id }) => id);

it.each(everyNth(5, declared))('judges %s by what it needs as in a whole run', async (id) => {
  const { report: all, calls } = await verifyWhole();
  const expected = resultOf(all, id);
  if (!expected?.held) return;
  const { report, calls: fewer } = await verifyDeployment({}, { ...settings, only: [id] });
  expect(resultOf(report, id)?.verdict).toBe(expected.verdict);
  expect(fewer).toBeLessThan(calls);
});

it('calls a run incomplete in which no clause could be judged', async () => {
  const { report } = await verifyDeployment({}, { only: ['rate-limit-refusal'] });
  expect(report).toMatchObject({
    verdict: 'incomplete',
    incomplete: [
      'target: no clause could be judged (rate-limit-refusal: no limit was tried: it was not allowed)',
    ],
  });
});

it('calls a run clean in which some clauses could not be judged', async () => {
  const { report } = await verifyDeployment({}, { only: ['rate-limit-refusal', 'filter'] });
  expect(report).toMatchObject({ verdict: 'clean', incomplete: [] });
});

it('says why no check had anything to judge', async () => {
  await expect(verifyDeployment({}, { only: ['deprecation-form'] })).rejects.toThrow(
    'No check had anything to judge (deprecation-form: no answer carried Deprecation).',
  );
});

it('says that a check failed where it judged nothing and no other was chosen', async () => {
  const judge = vi.spyOn(filter, 'judge').mockImplementation(() => {
    throw new Error('it broke');
  });
  onTestFinished(() => judge.mockRestore());
  const { report } = await verifyDeployment({}, { only: ['filter'] });
  expect(report).toMatchObject({
    verdict: 'incomplete',
    defects: ['target: the check filter failed (it broke)'],
    defectDetails: [
      {
        message: 'target: the check filter failed (it broke)',
        stack: expect.stringMatching(/^Error: it broke\n +at /),
      },
    ],
  });
  const schema = readFileSync(projectFile('contracts/report/report.schema.json'), 'utf8');
  const ajv = new Ajv2020({ strict: true, validateFormats: false });
  ajv.validate(JSON.parse(schema), JSON.parse(toJsonReport(report)));
  expect(ajv.errors ?? []).toEqual([]);
  expect(toTerminalReport(report, { strict: false, out: process.stdout })).not.toMatch(/\n +at /);
});

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { filter } from '../../../contracts/checks/filter.ts';
import { toJsonReport } from '../../../contracts/report/json.ts';
import { toTerminalReport } from '../../../contracts/report/terminal/terminal.ts';
import { projectFile } from '../../support/twin.ts';
import { verifyDeployment } from '../../support/verify-deployment.ts';

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

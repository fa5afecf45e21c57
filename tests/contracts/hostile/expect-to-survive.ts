import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { projectFile } from '../../support/twin.ts';
import type { HostileRow } from './row.ts';
import type { Outcome } from './run-verify.ts';

const schema = JSON.parse(readFileSync(projectFile('contracts/report/report.schema.json'), 'utf8'));
const fitsSchema = new Ajv2020({ formats: { 'date-time': true } }).compile(schema);

/** The maximum memory of a run, in MiB. */
const maxMemory = 512;

/** Holds that the command judged a hostile deployment, or said why it could not. */
export function expectToSurvive(row: HostileRow, outcome: Outcome): void {
  const { code, report, written, mebibytes } = outcome;
  const output = outcome.stdout + outcome.stderr;
  expect(output).not.toMatch(/\n {4}at |bug in the suite/);
  expect(code).toBe(row.ends ?? 1);
  expect(written).toEqual(row.ends === 2 ? [] : ['json', 'junit', 'html', 'markdown']);
  if (report) {
    expect(fitsSchema(report), JSON.stringify(fitsSchema.errors)).toBe(true);
    expect(report.defects).toEqual([]);
  }
  if (row.says) expect(output.replaceAll(/\s+/g, ' ')).toMatch(row.says);
  expect(mebibytes).toBeLessThan(maxMemory);
}

import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, vi } from 'vitest';
import { projectFile } from '../../support/twin.ts';
import { hostileRows } from './deployments.ts';
import { runVerify } from './run-verify.ts';

const schema = JSON.parse(readFileSync(projectFile('contracts/report/report.schema.json'), 'utf8'));
const fitsSchema = new Ajv2020({ formats: { 'date-time': true } }).compile(schema);

/** The most memory that a run may hold, in MiB. */
const mostMemory = 512;

// More runs side by side would only wait for each other.
vi.setConfig({ maxConcurrency: 2 });

describe.concurrent('a deployment that sends', { timeout: 120_000 }, () => {
  it.each(hostileRows)('$id: $about', async (row) => {
    const { end, output, report, written, mebibytes } = await runVerify(row);
    expect(output).not.toMatch(/\n {4}at |defect of the suite/);
    expect(end).toBe(row.ends);
    expect(written).toEqual(row.ends === 2 ? [] : ['json', 'junit', 'html', 'markdown']);
    if (report) {
      expect(fitsSchema(report), JSON.stringify(fitsSchema.errors)).toBe(true);
      expect(report.defects).toEqual([]);
    }
    if (row.says) expect(output.replaceAll(/\s+/g, ' ')).toMatch(row.says);
    expect(mebibytes).toBeLessThan(mostMemory);
  });
});

import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { errorTable, toErrorBody } from '../../../mock/answers/errors.ts';
import { compile } from '../../../openapi/index.ts';
import { projectFile } from '../../support/twin.ts';

type ErrorExample = { code: keyof typeof errorTable; message: string; status: number };

const { operations } = await compile(projectFile('contracts/openapi.yaml'));
const rows = Object.entries(errorTable).map(([code, { status, when }]) => ({ code, status, when }));

const examples = operations.flatMap(({ id, responses }) =>
  responses
    .filter(({ status }) => Number(status) >= 400)
    .flatMap(({ status, examples }) =>
      Object.values(examples as Record<string, ErrorExample>).map((example) => ({
        id,
        status,
        example,
      })),
    ),
);

it.each(rows)(
  'writes $code as a code, with a status of an error and a sentence',
  ({ code, status, when }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(when).toMatch(/^[A-Z].+\.$/);
  },
);

it('makes the Error object of a code', () => {
  expect(toErrorBody('not_found', 'There is nothing.')).toEqual({
    code: 'not_found',
    message: 'There is nothing.',
    status: 404,
  });
});

it('has examples of errors at each operation', () => {
  expect(new Set(examples.map(({ id }) => id)).size).toBe(operations.length);
});

it.each(examples)(
  'exemplifies $status of $id with an error of the table',
  ({ status, example }) => {
    expect(errorTable).toHaveProperty(example.code);
    expect(example.status).toBe(Number(status));
    expect(errorTable[example.code].status).toBe(example.status);
  },
);

it('is the table of docs/errors.md', async () => {
  const docs = await readFile(projectFile('docs/errors.md'), 'utf8');
  const matches = [...docs.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \| (.+?) \|$/gm)];
  const listed = matches.map(([, code, status, when]) => ({ code, status: Number(status), when }));
  const byCode = (one: { code?: string | undefined }, other: { code?: string | undefined }) =>
    (one.code ?? '').localeCompare(other.code ?? '');
  expect(listed.toSorted(byCode)).toEqual(rows.toSorted(byCode));
});

import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { toJunitReport } from '../../../contracts/report/junit.ts';
import { toMarkdownReport } from '../../../contracts/report/markdown.ts';
import { toTerminalReport } from '../../../contracts/report/terminal/terminal.ts';
import { reportOf } from '../../support/report.ts';

const lax = { strict: false };

/** An output that is no terminal. */
const out = new PassThrough() as unknown as NodeJS.WriteStream;

it('lists what is undocumented briefly, unless it fails the run', () => {
  const message = 'listPets answers 404 where the document describes 200';
  const report = reportOf([{ verdict: 'undocumented', message, count: 8 }]);
  const strict = { strict: true };
  const heading = 'UNDOCUMENTED  1 finding: the document does not describe the answer so.';
  const texts = (options: typeof lax) => toTerminalReport(report, { ...options, out });
  expect(texts(lax)).toContain(
    `${heading}\n  ${message} (8 times)\n    listPets (2), createPet (1)\n`,
  );
  expect(texts(lax)).not.toContain('curl');
  expect(texts(strict)).toContain('curl');
  expect(toMarkdownReport(report, lax)).toContain(`\n- ${message}: listPets (2), createPet (1)\n`);
  expect(toMarkdownReport(report, strict)).toContain('; fails the run)');
  expect(toMarkdownReport(report, strict)).toContain('curl');
  expect(toJunitReport(report, lax)).toContain(message);
});

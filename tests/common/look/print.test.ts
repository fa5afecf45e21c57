import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toPrinted } from '../../../common/look/print.ts';
import { projectFile } from '../../support/twin.ts';

const coloured = (text: string) => toPrinted(text, { isPlain: false });

it('keeps line breaks, and colours where there are some', () => {
  const text = '\u001b[1m\u001b[31mdrift\u001b[39m\u001b[22m  犬 é\n  next\n';
  expect(coloured(text)).toBe(text);
  expect(toPrinted(text)).toBe('\\x1b[1m\\x1b[31mdrift\\x1b[39m\\x1b[22m  犬 é\n  next\n');
});

it('shows what else would act on a terminal', () => {
  expect(coloured('a\u001b[2Jb\rc\td\u202ee\u009b2Jf\u0007')).toBe(
    'a\\x1b[2Jb\\rc\\td\\u202ee\\x9b2Jf\\x07',
  );
});

it('begins no line with a command of a build, and has none within a line', () => {
  expect(coloured('::error::a\n \u3000::stop-commands::b ##[error]c\n')).toBe(
    ':\\x3aerror::a\n \u3000:\\x3astop-commands::b #\\x23[error]c\n',
  );
  expect(coloured('a ##vso[x] ###teamcity[y] ## title #tag\n')).toBe(
    'a #\\x23vso[x] ##\\x23teamcity[y] ## title #tag\n',
  );
});

it('leaves an address with :: alone', () => {
  const text = '  http://[::1]:4010/v1\ncurl http://[::1]:4010/v1\n';
  expect(coloured(text)).toBe(text);
});

it('is what all programs print with, but for reports for programs and live lines', () => {
  const files = globSync('{common,contracts,mock,openapi,reference}/**/*.ts', {
    cwd: projectFile('.'),
  });
  const others = files.filter((file) =>
    /\bstd(?:out|err)\.write\b|\bconsole\.\w+\(/.test(
      readFileSync(projectFile(file), 'utf8').replaceAll(/'[^'\n]*'/g, "''"),
    ),
  );
  expect(others.toSorted()).toEqual([
    'common/cli/progress-line.ts',
    'contracts/command/write-reports.ts',
    'contracts/fidelity/command.ts',
    'contracts/types/command.ts',
    'mock/explain/command.ts',
    'mock/process/serve-mcp.ts',
  ]);
});

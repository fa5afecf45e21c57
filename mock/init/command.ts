import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { styleText } from 'node:util';
import { count } from '../../common/cli/count.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { toggle } from '../../common/cli/option-kinds.ts';
import { type OptionTable, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import { print } from '../../common/look/print.ts';
import { toVisible } from '../../common/look/visible.ts';
import { compile } from '../../openapi/index.ts';
import { asksForKey } from '../../openapi/model/key-places.ts';
import { toShellWord } from '../curl/shell.ts';
import { explain } from '../explain/explanation.ts';
import { type Project, toConfigFile, toOverlayFile, toWorkflowFile } from './files.ts';
import { findDocument } from './find-document.ts';
import { proveCases } from './first-test.ts';
import { runners, toTestFile } from './test-file.ts';

const table = {
  dryRun: toggle('print the files instead of writing them'),
} satisfies OptionTable;

const overlayFile = 'twin.overlay.yaml';

const toHelpText = (
  command: string,
) => `petstore-twin init: sets up a project for the mock of an OpenAPI document

Usage: ${command} [FILE|URL] [options]

FILE is an OpenAPI or Swagger document (default: the one in this folder or the folders in it).

Options:
${toHelpLines(table)}

It writes a config file, an overlay with what explain offers, a first test and a GitHub workflow. Files that exist
are left as they are, and so is package.json; it prints the scripts to add. See docs/init.md.

Exit codes: 0 written, 2 not.
`;

/** Runs the command and gives its exit code. */
export const runCommand = createCommand({
  name: 'init',
  table,
  toHelpText,
  takesFiles: true,
  async run({ dryRun }, { files: [given, second] }) {
    if (second !== undefined)
      throw new UsageError(`A project has one document, but ${second} is a second one.`);
    const spec = given ?? (await findDocument('.'));
    // A step of a workflow would end at the one, and run the other.
    if (/\p{Cc}|\$\{\{/u.test(spec))
      throw new UsageError(`${spec} cannot stand in a workflow. Give the document another name.`);
    const isCorrected = existsSync(overlayFile);
    const document = await compile(spec, isCorrected ? { overlay: overlayFile } : {});
    const explanation = explain(document);
    const corrections = isCorrected
      ? readFileSync(overlayFile, 'utf8')
      : toOverlayFile(explanation);
    const { runner, ...known } = readPackage();
    const place = ['tests', 'test', '__tests__', 'e2e'].find((one) => existsSync(one)) ?? 'tests';
    const test = `${place}/${runner.file}`;
    const project: Project = {
      spec,
      ...(corrections !== undefined && { overlay: overlayFile }),
      config: 'twin.config.yaml',
      test,
      runTest: `${runner.command} ${test}`,
      basePath: document.basePath,
      asksForKeys: document.operations.some(asksForKey),
      hasLock: existsSync('package-lock.json'),
    };
    const settings = { spec, ...(project.overlay && { overlay: project.overlay }) };
    const cases = await proveCases(spec, corrections);
    const texts: [file: string, about: string, text: string | undefined][] = [
      [project.config, 'settings of the mock', toConfigFile(project)],
      [overlayFile, 'state for operations that have none', corrections],
      [test, 'a first test', toTestFile(cases, settings, runner)],
      ['.github/workflows/twin.yml', 'tests and verify in CI', toWorkflowFile(project)],
    ];
    const { operations, withState } = explanation.totals;
    const { title, version } = document;
    const lines = texts.map(([file, about, text]) => write(file, about, text, dryRun));
    const name = bold(toVisible(`${title} ${version}`));
    const heading = `${name}: ${count(operations, 'operation')}, ${withState} with state`;
    print([heading, '', ...lines, ...toAdvice(project, known)].join('\n'));
    return 0;
  },
});

const bold = (text: string) => styleText('bold', text, { stream: process.stdout });

/** Writes a file unless there is one, and gives a line on it. */
function write(file: string, about: string, text: string | undefined, isDry: boolean): string {
  const toLine = (outcome: string, why: string) =>
    `  ${outcome.padEnd(11)}  ${file.padEnd(26)}  ${why}`;
  if (text === undefined) return toLine('not needed', 'explain offers no correction');
  if (existsSync(file)) return toLine('left', 'it exists already');
  if (isDry) print(`${bold(file)}\n${text}\n`);
  else
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      throw new UsageError(`${file} cannot be written: ${(error as Error).message}.`);
    }
  return toLine(isDry ? 'would write' : 'wrote', about);
}

/** Returns the runner of a project's tests, its scripts, and the packages that it lacks. */
function readPackage() {
  let found: unknown;
  try {
    found = JSON.parse(readFileSync('package.json', 'utf8'));
  } catch {
    // Without a package.json that can be read, everything is to be installed.
  }
  const membersOf = (value: unknown, name: string): JsonObject => {
    const member = isObject(value) ? value[name] : undefined;
    return isObject(member) ? member : {};
  };
  const scripts = membersOf(found, 'scripts');
  const all = { ...membersOf(found, 'dependencies'), ...membersOf(found, 'devDependencies') };
  const own = runners.find(({ packages }) => packages.some((one) => Object.hasOwn(all, one)));
  const runner = own ?? runners[0];
  const needed = ['petstore-twin', ...(own ? [] : runner.packages)];
  return { runner, scripts, missing: needed.filter((one) => !Object.hasOwn(all, one)) };
}

/** Returns the lines on scripts that package.json lacks, and on the next three commands. */
function toAdvice(
  { spec, config, runTest }: Project,
  { scripts, missing }: Pick<ReturnType<typeof readPackage>, 'scripts' | 'missing'>,
): string[] {
  const offered = {
    mock: `petstore-twin mock --config ${config}`,
    'test:api': runTest.replace('npx ', ''),
  };
  const lines = Object.entries(offered).flatMap(([name, command]) =>
    Object.hasOwn(scripts, name) ? [] : [`    "${name}": "${command}",`],
  );
  const next = [
    ...(missing.length > 0 ? [`npm install --save-dev ${missing.join(' ')}`] : []),
    runTest,
    `npx petstore-twin mock --config ${config}`,
    `npx petstore-twin verify --spec ${toShellWord(spec)} --target URL --read-only`,
  ];
  return [
    ...(lines.length > 0 ? ['\nScripts for package.json, which is left as it is:', ...lines] : []),
    '\nNext:',
    ...next.slice(0, 3).map((command) => `    ${command}`),
    '',
  ];
}

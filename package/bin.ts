#!/usr/bin/env node
import nodeModule from 'node:module';
import { describeOldNode, version } from './node-version.ts';

type SuiteCommand = keyof typeof import('./suite.ts')['suite'];
type Command = { about: string; run: (args: readonly string[], command: string) => Promise<void> };

const { env } = process;

/** The commands by name. A command is imported when called, and never by a Node that is too old. */
const commands: Record<string, Command> = {
  init: ofMock(
    'set up a project for the mock of a document',
    async () => (await import('../mock/init/command.ts')).runCommand,
  ),
  mock: {
    about: 'start the mock',
    run: async (args, command) => {
      const { serve } = await import('../mock/process/serve.ts');
      await serve(args, { env, command });
    },
  },
  verify: ofSuite('verify', 'check a deployment, the mock or both against the interface'),
  proxy: ofSuite('proxy', 'pass calls to a deployment unchanged, and judge them'),
  judge: ofSuite('judge', 'judge recorded calls of a deployment'),
  calibrate: ofSuite('calibrate', "record a deployment's unspecified behaviour for the mock"),
  mcp: ofMock(
    'let agents ask and control a mock (MCP)',
    async () => (await import('../mock/process/serve-mcp.ts')).serveMcp,
  ),
  explain: ofMock(
    'explain how the mock reads a document',
    async () => (await import('../mock/explain/command.ts')).runCommand,
  ),
  docs: ofSuite('docs', 'write the reference of a document as a static site'),
  types: ofSuite('types', 'write the TypeScript types of a document'),
  data: ofSuite('data', 'make items for the mock from recorded responses'),
  learn: ofSuite(
    'learn',
    'write an overlay with what recordings show and the document does not say',
  ),
  fidelity: ofSuite('fidelity', 'say how faithful the mock is to recordings of a deployment'),
  dredd: ofSuite('dredd', "replay the document's examples with Dredd, which must be installed too"),
};

type Run = (
  args: readonly string[],
  context: { env: typeof env; command: string },
) => Promise<number>;

/** A command of the mock that gives its exit code. */
function ofMock(about: string, load: () => Promise<Run>): Command {
  const run: Command['run'] = async (args, command) => {
    const runCommand = await load();
    process.exitCode = await runCommand(args, { env, command });
  };
  return { about, run };
}

/** A command of the suite. Where its exit code tells of drift, a crash must not end with the same. */
function ofSuite(name: SuiteCommand, about: string): Command {
  const run: Command['run'] = async (args, command) => {
    const { exitOnCrash, suite } = await import('./suite.ts');
    if (!['data', 'docs', 'dredd', 'learn', 'types'].includes(name)) exitOnCrash(command);
    process.exitCode = await suite[name](args, { env, command });
  };
  return { about, run };
}

const usage = `petstore-twin: a mock of the Pet Store Service, and a contract suite for every deployment of it

Usage: petstore-twin <command> [options]

Commands:
${Object.entries(commands)
  .map(([name, { about }]) => `  ${name.padEnd(9)} ${about}`)
  .join('\n')}

petstore-twin <command> --help shows its options, and petstore-twin --version the version.
`;

function refuse(message: string): void {
  process.stderr.write(`petstore-twin: ${message}\n`);
  process.exitCode = 2;
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
const oldNode = describeOldNode();
if (oldNode !== undefined) {
  process.stderr.write(`${oldNode}\n`);
  process.exitCode = 2;
} else if (command) {
  nodeModule.enableCompileCache();
  await command.run(args, `petstore-twin ${name}`);
} else if (name === '--version') {
  process.stdout.write(`${version}\n`);
} else if (name === '--help' || name === '-h') {
  process.stdout.write(usage);
} else {
  const names = Object.keys(commands).join(', ');
  refuse(
    `${name === '' || name.startsWith('-') ? 'Name a command first' : `"${name}" is not a command`}: ${names}. See --help.`,
  );
}

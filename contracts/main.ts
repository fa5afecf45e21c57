import { enableCompileCache } from 'node:module';
import { exitOnCrash } from '../common/cli/exit-on-crash.ts';

/** The commands, each loaded when it is called. A crash is no drift where the exit code tells of it. */
const commands = {
  verify: { load: () => import('./command/run-command.ts'), tellsOfDrift: true },
  proxy: { load: () => import('./proxy/command.ts'), tellsOfDrift: true },
  judge: { load: () => import('./judge/command.ts'), tellsOfDrift: true },
  calibrate: { load: () => import('./calibrate/command.ts'), tellsOfDrift: true },
  data: { load: () => import('./data/command.ts'), tellsOfDrift: false },
  learn: { load: () => import('./learn/command.ts'), tellsOfDrift: false },
  fidelity: { load: () => import('./fidelity/command.ts'), tellsOfDrift: true },
  docs: { load: () => import('./docs/command.ts'), tellsOfDrift: false },
};

const given = process.argv.slice(2);
const isNamed = (name = ''): name is keyof typeof commands => Object.hasOwn(commands, name);
const [name, args] = isNamed(given[0]) ? [given[0], given.slice(1)] : (['verify', given] as const);
if (commands[name].tellsOfDrift) exitOnCrash(`npm run ${name}`);
enableCompileCache();
const { runCommand } = await commands[name].load();
process.exitCode = await runCommand(args, { env: process.env, command: `npm run ${name} --` });

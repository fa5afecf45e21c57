import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onUnless, text, toggle } from '../../common/cli/option-kinds.ts';
import { namesOption, readArguments } from '../read-arguments.ts';
import { isInstalled } from './install.ts';
import { stopOnSignals } from './processes.ts';
import type { RealServer } from './real-server.ts';
import { alertmanager } from './servers/alertmanager.ts';
import { directus } from './servers/directus.ts';
import { gotify } from './servers/gotify.ts';
import { jupyter } from './servers/jupyter.ts';
import { petclinic } from './servers/petclinic.ts';
import { prefect } from './servers/prefect.ts';
import { replaceRows, toRow } from './to-table.ts';
import { tryServer } from './try-server.ts';

const servers: readonly RealServer[] = [
  alertmanager,
  gotify,
  jupyter,
  petclinic,
  prefect,
  directus,
];
const names = servers.map(({ name }) => name);

const usage = `Runs the suite against servers that others wrote, and writes docs/real-servers.md.

Usage: npm run real-servers -- [options]

{options}

Needs go for alertmanager and gotify, python3 for jupyter, petclinic and prefect, java for petclinic,
a C compiler for gotify, and npm and a C++ compiler for directus.
Exits with 1 if something of somebody else was changed, if something that was added is not reported,
or if a finding is false or not yet judged in tools/real-servers/truth/.
`;

const { values } = readArguments(usage, {
  only: namesOption('NAME,...', `only these servers: ${names.join(', ')}`, names),
  all: toggle('directus, too, which takes 1 GB and some minutes'),
  install: text({
    value: 'DIR',
    help: 'where to install the servers, and to find them again (default: a temporary folder)',
  }),
  program: text({ value: 'FILE', help: 'the JAR of petclinic, which no registry has' }),
  reports: text({ value: 'DIR', help: 'keep the reports of the runs here' }),
  breaks: onUnless('leave out the broken deployments'),
});

const { only, breaks } = values;
const work = mkdtempSync(join(tmpdir(), 'real-servers-'));
const installs = resolve(values.install ?? join(work, 'installed'));
mkdirSync(installs, { recursive: true });
const cleanUp = () => rmSync(work, { recursive: true, force: true, maxRetries: 3 });
stopOnSignals(cleanUp);

const chosen = servers.filter((server) => {
  const { name, version, onDemand, isGiven } = server;
  if (only ? !only.includes(name) : onDemand && !values.all) return false;
  if (!isGiven || values.program || isInstalled(server, installs)) return true;
  const advice = `Give the JAR of version ${version} with --program FILE.`;
  if (only) refuse(`No registry has ${name}. ${advice}`);
  process.stderr.write(`${name} is left out: no registry has it. ${advice}\n`);
  return false;
});

const page = fileURLToPath(new URL('../../docs/real-servers.md', import.meta.url));
let failures = 0;
for (const server of chosen) {
  process.stderr.write(`${server.name} ${server.version}\n`);
  try {
    const state = join(work, server.name);
    const reports = resolve(values.reports ?? state, server.name);
    const outcome = await tryServer(server, {
      installs,
      program: values.program,
      state,
      reports,
      breaks,
    });
    failures += outcome.failures.length;
    const row = toRow(server, outcome);
    process.stdout.write(`${row}\n`);
    if (breaks) writeFileSync(page, replaceRows(readFileSync(page, 'utf8'), server.name, row));
  } catch (error) {
    failures += 1;
    process.stderr.write(`  FAILED ${(error as Error).message}\n`);
  }
}
cleanUp();
process.exitCode = failures > 0 ? 1 : 0;

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

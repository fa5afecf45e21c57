import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { text, toggle, wholeNumber } from '../../common/cli/option-kinds.ts';
import { findFreePort } from '../../tests/support/free-port.ts';
import { namesOption, readArguments } from '../read-arguments.ts';
import { stopOnSignals } from '../real-servers/processes.ts';
import { type PreparedLabs, prepareLabs } from '../sdks/prepare.ts';
import { emulate, emulators } from './emulators.ts';
import { type Figures, measure, record } from './measure.ts';
import { servers } from './servers.ts';
import type { StartedServer, Subject } from './subject.ts';

const subjects: readonly Subject[] = [...servers, ...emulators];
const names = subjects.map(({ name }) => name);

const usage = `Records servers that others wrote, learns from the recordings, and writes the tables of docs/learn.md.

Usage: npm run fidelity:lab -- [options]

{options}

Needs npm, and go for gitea and gotify (and a C compiler), python3 for chroma, a C++ compiler for directus.
The documents of resend (resend.yaml), slack (slack.json) and twilio (twilio.json) are in no registry.
`;

const { values } = readArguments(usage, {
  only: namesOption('NAME,...', `only these: ${names.join(', ')}`, names),
  runs: wholeNumber({ value: 'N', help: 'how many recordings of each', min: 2, default: 4 }),
  install: text({ value: 'DIR', help: 'where to install servers, and to find them again' }),
  documents: text({ value: 'DIR', help: 'the documents that no registry has' }),
  out: text({ value: 'DIR', help: 'keep recordings, overlays and reports here' }),
  recordOnly: toggle('only record'),
});

const work = mkdtempSync(join(tmpdir(), 'learn-lab-'));
const folder = resolve(values.out ?? join(work, 'out'));
const installs = resolve(values.install ?? join(work, 'installed'));
for (const one of [folder, installs]) mkdirSync(one, { recursive: true });
const cleanUp = () => rmSync(work, { recursive: true, force: true, maxRetries: 3 });
stopOnSignals(cleanUp);

const page = fileURLToPath(new URL('../../docs/learn.md', import.meta.url));
const labs = subjects.flatMap(({ document }) => ('of' in document ? document.of : []));
const packages = subjects.flatMap(({ sdk, packages = [] }) => [sdk, ...packages]);
const prepared = await prepareLabs(labs, { name: 'learn-lab', more: [...packages, emulate] });
let failures = 0;
for (const subject of subjects.filter(({ name }) => values.only?.includes(name) ?? true))
  try {
    await tryOne(subject);
  } catch (error) {
    failures += 1;
    process.stderr.write(`${subject.name}: ${(error as Error).message}\n`);
  }
cleanUp();
// SDKs leave timers and connections behind.
process.exit(failures > 0 ? 1 : 0);

async function tryOne(subject: Subject): Promise<void> {
  process.stderr.write(`${subject.server}\n`);
  const data = join(work, subject.name);
  mkdirSync(data, { recursive: true });
  const { load } = prepared;
  const server = await subject.start({ installs, data, port: await findFreePort(), load });
  const spec = await writeDocument(subject, server, prepared);
  const tools = { load, spec, folder };
  const { runs } = values;
  const recorded = await record(subject, server, { ...tools, runs }).finally(server.stop);
  if (values.recordOnly) return;
  const figures = await measure(subject, { ...tools, ...recorded, origin: server.origin });
  const row = toRow(subject, figures);
  process.stdout.write(`${row}\n`);
  writeFileSync(page, replaceRow(readFileSync(page, 'utf8'), subject.server, row));
}

/** Writes the document of a service, and gives the file. */
async function writeDocument(
  { name, document }: Subject,
  { origin, installed = '' }: StartedServer,
  { documentOf }: PreparedLabs,
): Promise<string> {
  if ('of' in document) return documentOf(document.of);
  const spec = join(
    folder,
    `${name}.spec.${'given' in document ? document.given.split('.')[1] : 'json'}`,
  );
  if ('at' in document) writeFileSync(spec, await (await fetch(origin + document.at)).text());
  else if ('installed' in document) copyFileSync(join(installed, document.installed), spec);
  else {
    const file = join(values.documents ?? '.', document.given);
    if (!existsSync(file)) throw new Error(`No registry has ${document.given}. Give --documents.`);
    copyFileSync(file, spec);
  }
  return spec;
}

function toRow({ server, sdk }: Subject, { calls, alike, steps }: Figures): string {
  const cells = [
    ...[server, `\`${sdk}\``, calls, `${alike.before} %`, `${alike.after} %`],
    ...[`${steps.before} of ${steps.all}`, `${steps.after} of ${steps.all}`],
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Puts a row in the place of the one that begins alike; a page without it stays as it is. */
function replaceRow(page: string, server: string, row: string): string {
  const [first = server] = server.split(/ |,/);
  return page.replace(new RegExp(`^\\| ${first}[ ,].*$`, 'm'), () => row);
}

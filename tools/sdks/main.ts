import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toggle } from '../../common/cli/option-kinds.ts';
import { prism } from '../bench/contenders.ts';
import { fetchPeers } from '../bench/peers.ts';
import type { Contender } from '../bench/server-process.ts';
import { startPeer } from '../corpus/start-peer.ts';
import { namesOption, readArguments } from '../read-arguments.ts';
import { type GeneratedLab, generatedLabs } from './generated/labs.ts';
import { prepareTests } from './generated/prepare.ts';
import {
  type GeneratedResult,
  generatedHeading,
  runTests,
  steadyOf,
  toGeneratedPart,
} from './generated/run.ts';
import { type Lab, type Outcome, runLab } from './lab.ts';
import { datadog } from './labs/datadog.ts';
import { directus } from './labs/directus.ts';
import { gitea } from './labs/gitea.ts';
import { github } from './labs/github.ts';
import { kubernetes } from './labs/kubernetes.ts';
import { netlify } from './labs/netlify.ts';
import { okta } from './labs/okta.ts';
import { stripe } from './labs/stripe.ts';
import { type PreparedLabs, prepareLabs } from './prepare.ts';
import { passed, type Result, toPage } from './to-page.ts';

const labs: readonly Lab[] = [github, stripe, kubernetes, gitea, datadog, directus, netlify, okta];
const names = labs.map(({ name }) => name);

const usage = `Runs official SDKs against the twin and against Prism, and writes docs/clients.md.

Usage: npm run sdks -- [options]

{options}

Installs the SDKs and their documents into the folder for temporary files, once. Needs npm and go, and for
the tests of generated SDKs git and python3.
`;

const { values } = readArguments(usage, {
  only: namesOption('NAME,...', `only these labs, and no page: ${names.join(', ')}`, names),
  twin: toggle('only the twin, and no page'),
  generated: toggle('only the tests that generated SDKs come with, and their part of the page'),
});
const only = values.only ?? names;

const root = fileURLToPath(new URL('../..', import.meta.url));
const pageFile = join(root, 'docs/clients.md');
const date = new Date().toISOString().slice(0, 10);
const peers: string | undefined = values.twin ? undefined : fetchPeers();
if (values.generated) {
  const part = await tryGenerated();
  const [page = ''] = readFileSync(pageFile, 'utf8').split(generatedHeading);
  if (peers) writeFileSync(pageFile, page + part);
  process.exit();
}
const prepared = await prepareLabs(labs);
const results: Result[] = [];
for (const lab of labs.filter(({ name }) => only.includes(name))) results.push(await tryLab(lab));
const sum = (read: (result: Result) => readonly Outcome[] | undefined) =>
  passed(results.flatMap((result) => read(result) ?? []));
const steps = results.reduce((total, { twin }) => total + twin.length, 0);
process.stdout.write(
  `twin ${sum(({ twin }) => twin)} of ${steps}, with overlays ${sum(
    ({ twin, overlaid }) => overlaid ?? twin,
  )}${peers ? `, Prism ${sum(({ prism }) => prism)}` : ''}\n`,
);
if (peers && values.only === undefined) {
  const { version } = JSON.parse(
    readFileSync(join(peers, 'node_modules/@stoplight/prism-cli/package.json'), 'utf8'),
  );
  const page = toPage(results, { date, prism: version });
  writeFileSync(pageFile, `${page}\n${await tryGenerated()}`);
}
// SDKs leave timers and connections behind.
process.exit();

async function tryLab(lab: Lab): Promise<Result> {
  const overlay = join(root, `examples/overlays/${lab.name}.yaml`);
  const file = prepared.documentOf(lab);
  const twin = (await runOn(twinOf(file), lab, lab.basePath, prepared)) ?? [];
  print(lab, 'twin', twin);
  const overlaid = existsSync(overlay)
    ? await runOn(twinOf(file, '--overlay', overlay), lab, lab.basePath, prepared)
    : undefined;
  if (overlaid) print(lab, 'twin with its overlay', overlaid);
  // Prism serves the paths without the base path.
  const byPrism = peers ? await runOn(prism(peers, file), lab, '', prepared) : undefined;
  if (peers) print(lab, 'Prism', byPrism);
  return { lab, twin, ...(overlaid && { overlaid }), prism: byPrism };
}

/** Runs the tests of generated SDKs, and gives their part of the page. */
async function tryGenerated(): Promise<string> {
  const results: GeneratedResult[] = [];
  for (const one of generatedLabs) results.push(await tryTests(one));
  return toGeneratedPart(results, date);
}

async function tryTests(lab: GeneratedLab): Promise<GeneratedResult> {
  const files = prepareTests(lab);
  const mocks = {
    'twin with `--stateless`': twinOf(files.document, '--stateless'),
    ...(peers && { Prism: prism(peers, files.document), steady: steadyOf(lab, files.document) }),
  };
  const byMock: GeneratedResult['byMock'] = {};
  for (const [name, mock] of Object.entries(mocks)) {
    const count = await runTests(mock, files);
    const { passed = 0, failed = 0 } = count ?? {};
    Object.assign(byMock, { [name]: count });
    const went = count ? `${passed} tests passed, ${failed} failed` : 'does not start';
    process.stdout.write(`${lab.name} on ${name}: ${went}\n`);
  }
  return { lab, byMock };
}

async function runOn(
  mock: Contender,
  lab: Lab,
  basePath: string,
  { load }: PreparedLabs,
): Promise<Outcome[] | undefined> {
  const server = await startPeer(mock, 5).catch(({ message }: Error) => {
    process.stderr.write(`${message}\n`);
  });
  if (!server) return undefined;
  try {
    const base = `${server.base}${basePath}`;
    return await runLab(lab, { origin: server.base, base, key: 'demo-enterprise', load });
  } finally {
    server.stop();
  }
}

function twinOf(file: string, ...flags: string[]): Contender {
  return {
    name: 'twin',
    basePath: '',
    args: (port) => [
      ...[join(root, 'mock/start.js'), '--spec', file, '--port', String(port)],
      ...['--disable-banner', ...flags],
    ],
  };
}

function print({ name }: Lab, mock: string, outcomes: readonly Outcome[] | undefined): void {
  if (!outcomes) return void process.stdout.write(`${name} on ${mock}: does not start\n`);
  process.stdout.write(`${name} on ${mock}: ${passed(outcomes)} of ${outcomes.length}\n`);
  for (const { step, problem } of outcomes)
    if (problem !== undefined) process.stdout.write(`  ${step}: ${problem}\n`);
}

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { bareExpress, bareHttp, prism, scalar, twin } from './contenders.ts';
import { compareSizes, watchMemory } from './endurance.ts';
import { type Goal, toGoalLine } from './figures.ts';
import { compareJournal } from './journal.ts';
import { findLoadGenerator } from './load.ts';
import { fetchPeers } from './peers.ts';
import { measureSandboxes } from './sandboxes.ts';
import { compareSpeed, compareStarts } from './speed.ts';

const allParts = ['speed', 'start', 'size', 'sandboxes', 'journal'];

const help = `Measures the twin beside bare servers and its peers, in one run. Absolute figures vary with the machine; ratios hold.

Usage: npm run bench -- [options]

  --rounds N        rounds of each measure (default 5)
  --seconds N       seconds that a server is loaded in a round (default 2)
  --connections N   connections of the load (default 32)
  --only PARTS      some of ${allParts.join(', ')}, separated by commas (default all)
  --soak            watch the memory over --requests, instead of the rest
  --requests N      requests of the soak (default 1000000)
  --no-peers        leave out Prism and Scalar, which are fetched from the package registry
`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '32' },
    only: { type: 'string', default: allParts.join(',') },
    soak: { type: 'boolean', default: false },
    requests: { type: 'string', default: '1000000' },
    'no-peers': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  process.stdout.write(help);
  process.exit();
}

// The servers under measurement are ended with this process, so it must end by itself.
process.once('SIGTERM', () => process.exit(143));

const parts = values.soak ? ['soak'] : values.only.split(',');
const stranger = parts.find((part) => ![...allParts, 'soak'].includes(part));
if (stranger !== undefined) throw new Error(`--only ${stranger} is no part. Parts are ${allParts.join(', ')}.`);
const peers = values['no-peers'] ? undefined : fetchPeers();
const load = findLoadGenerator(Number(values.connections), peers);
const rounds = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const contenders = [twin(), bareHttp, bareExpress, ...(peers ? [prism(peers), scalar(peers)] : [])];

console.log(`Node ${process.version}, ${cpus().length} CPUs, load by ${load.name}, ${values.connections} connections\n`);
const goals: Goal[] = [];
if (parts.includes('speed')) goals.push(...(await compareSpeed(contenders, load, rounds)));
if (parts.includes('start')) goals.push(...(await compareStarts(contenders, rounds.rounds)));
if (parts.includes('size')) goals.push(...(await compareSizes(load, { ...rounds, few: 100, many: 1_000_000 })));
if (parts.includes('sandboxes')) goals.push(...(await measureSandboxes(rounds.rounds)));
if (parts.includes('journal')) goals.push(...(await compareJournal(load, rounds)));
if (parts.includes('soak')) goals.push(...(await watchMemory(load, Number(values.requests))));
console.log(goals.map(toGoalLine).join('\n'));

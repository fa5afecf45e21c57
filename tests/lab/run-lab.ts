import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { broken } from './broken.ts';
import { fair } from './fair.ts';
import { type Judgement, judge } from './judge.ts';

const usage = `Runs the contract suite against deployments broken on purpose, and against fair ones.

Usage: npm run kill-rate -- [options]

  --only ID,...        these rows alone
  --family NAME,...    these families alone
  --sample N           every N-th row of what is chosen, the first one included (default 1: all)
  --concurrency N      runs at a time (default 2)
  --json FILE          write each judgement
  --verbose            say of each row which checks found it, and where no finding names a fitting section

Exits with 1 unless every broken deployment is found and no fair one is blamed, and with 2 where no row is chosen.
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    family: { type: 'string' },
    sample: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
    json: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = [...broken.map((row) => ({ row, fair: false })), ...fair.map((row) => ({ row, fair: true }))]
    .filter(({ row }) => named(values.only, row.id) && named(values.family, row.family))
    .filter((_, index) => index % Number(values.sample) === 0);
  if (chosen.length === 0) {
    process.stderr.write('No row has that id or family.\n');
    return 2;
  }
  const started = performance.now();
  const judgements: Judgement[] = [];
  const queue = chosen.values();
  const worker = async () => {
    for (const { row, fair } of queue) {
      const judgement = await judge(row, { fair });
      judgements.push(judgement);
      tell(judgement);
    }
  };
  await Promise.all(Array.from({ length: Number(values.concurrency) }, worker));
  if (values.json) await writeFile(values.json, `${JSON.stringify(judgements, null, 2)}\n`);
  summarise(judgements, (performance.now() - started) / 1000);
  return judgements.every(({ right }) => right) ? 0 : 1;
}

function tell({ id, about, fair, right, exitCode, verdict, drift, fits, seconds, requests, clause, output }: Judgement): void {
  const checks = [...new Set(drift.map(({ check }) => check))].join(', ');
  const figures = `${seconds.toFixed(1)} s, ${requests} requests`;
  if (right && values.verbose)
    say(`${fair ? 'fair ' : 'found'}  ${id}  ${checks && `by ${checks}${fits ? '' : ` (none names ${clause})`}, `}${figures}`);
  if (right) return;
  say(`${fair ? 'FALSE ALARM' : 'MISSED'}  ${id}: ${about} (${clause}; exit code ${exitCode}, verdict ${verdict}, ${figures})`);
  for (const { check, message } of fair ? drift : []) say(`    ${check}: ${message}`);
  if (output) say(output.trim().replace(/^/gm, '    '));
}

function summarise(judgements: Judgement[], seconds: number): void {
  say('');
  for (const [family, rows] of Map.groupBy(judgements, (judgement) => judgement.family)) {
    const right = rows.filter((row) => row.right).length;
    say(`${family.padEnd(20)} ${String(right).padStart(3)} of ${rows.length}${right === rows.length ? '' : '  <'}`);
  }
  const [bad, good] = [judgements.filter((row) => !row.fair), judgements.filter((row) => row.fair)];
  const found = bad.filter(({ right }) => right);
  const alarms = good.filter(({ right }) => !right).length;
  const rate = bad.length ? ` (${((100 * found.length) / bad.length).toFixed(1)} %)` : '';
  say('');
  say(`found         ${found.length} of ${bad.length}${rate}; ${found.filter(({ fits }) => fits).length} with a fitting section`);
  say(`missed        ${bad.length - found.length}`);
  say(`false alarms  ${alarms} of ${good.length}`);
  say(`time          ${figures(judgements.map((row) => row.seconds))} s a run; ${seconds.toFixed(0)} s in all`);
  say(`requests      ${figures(judgements.map((row) => row.requests))} a run`);
}

function figures(numbers: number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `median ${Number(median.toFixed(1))}, worst ${Number(worst.toFixed(1))}`;
}

function named(list: string | undefined, name: string): boolean {
  return list === undefined || list.split(',').includes(name);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

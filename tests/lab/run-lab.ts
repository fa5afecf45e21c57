import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { broken } from './broken.ts';
import { fair } from './fair.ts';
import { type Judgement, judge, type RowKind } from './judge.ts';
import { misaddressed } from './misaddressed.ts';
import type { Row } from './row.ts';

const usage = `Runs the contract suite against deployments broken on purpose, fair ones, and wrong addresses.

Usage: npm run kill-rate -- [options]

  --only ID,...        these rows alone
  --family NAME,...    these families alone
  --sample N           every N-th row of what is chosen, the first one included (default 1: all)
  --concurrency N      runs at a time (default 2)
  --json FILE          write each judgement
  --verbose            say of each row which checks found it, and where no finding names a fitting section

Exits with 1 unless every broken deployment is found, no fair one is blamed and each wrong address is told, and with 2 where no row is chosen.
`;

const labels: Record<RowKind, { right: string; wrong: string }> = {
  broken: { right: 'found', wrong: 'MISSED' },
  fair: { right: 'fair ', wrong: 'FALSE ALARM' },
  misaddressed: { right: 'told ', wrong: 'NOT TOLD' },
};

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
  const chosen = Object.entries({ broken, fair, misaddressed } satisfies Record<RowKind, Row[]>)
    .flatMap(([kind, rows]) => rows.map((row) => ({ row, kind: kind as RowKind })))
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
    for (const { row, kind } of queue) {
      const judgement = await judge(row, kind);
      judgements.push(judgement);
      tell(judgement);
    }
  };
  await Promise.all(Array.from({ length: Number(values.concurrency) }, worker));
  if (values.json) await writeFile(values.json, `${JSON.stringify(judgements, null, 2)}\n`);
  summarise(judgements, (performance.now() - started) / 1000);
  return judgements.every(({ right }) => right) ? 0 : 1;
}

function tell({ id, about, kind, right, exitCode, verdict, drift, fits, seconds, requests, clause, output }: Judgement): void {
  const checks = [...new Set(drift.map(({ check }) => check))].join(', ');
  const figures = `${seconds.toFixed(1)} s, ${requests} requests`;
  if (right && values.verbose)
    say(`${labels[kind].right}  ${id}  ${checks && `by ${checks}${fits ? '' : ` (none names ${clause})`}, `}${figures}`);
  if (right) return;
  say(`${labels[kind].wrong}  ${id}: ${about} (${clause}; exit code ${exitCode}, verdict ${verdict}, ${figures})`);
  for (const { check, message } of kind === 'broken' ? [] : drift) say(`    ${check}: ${message}`);
  if (output) say(output.trim().replace(/^/gm, '    '));
}

function summarise(judgements: Judgement[], seconds: number): void {
  say('');
  for (const [family, rows] of Map.groupBy(judgements, (judgement) => judgement.family)) {
    const right = rows.filter((row) => row.right).length;
    say(`${family.padEnd(20)} ${String(right).padStart(3)} of ${rows.length}${right === rows.length ? '' : '  <'}`);
  }
  const ofKind = (kind: RowKind) => judgements.filter((row) => row.kind === kind);
  const [bad, good, elsewhere] = [ofKind('broken'), ofKind('fair'), ofKind('misaddressed')];
  const found = bad.filter(({ right }) => right);
  const alarms = good.filter(({ right }) => !right).length;
  const rate = bad.length ? ` (${((100 * found.length) / bad.length).toFixed(1)} %)` : '';
  say('');
  say(`found         ${found.length} of ${bad.length}${rate}; ${found.filter(({ fits }) => fits).length} with a fitting section`);
  say(`missed        ${bad.length - found.length}`);
  say(`false alarms  ${alarms} of ${good.length}`);
  say(`not told      ${elsewhere.filter(({ right }) => !right).length} of ${elsewhere.length} wrong addresses`);
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

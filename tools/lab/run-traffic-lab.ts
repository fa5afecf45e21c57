import { writeFile } from 'node:fs/promises';
import { namesOption, readArguments } from '../read-arguments.ts';
import { broken } from './broken.ts';
import { fair } from './fair.ts';
import type { RowKind } from './judge.ts';
import { isNamed, labOptions } from './options.ts';
import type { Row } from './row.ts';
import { judgeTraffic, type TrafficJudgement } from './traffic/judge-traffic.ts';

const usage = `Lets ordinary clients use broken and correct deployments through the proxy, and judges what passed.

Usage: npm run kill-rate:traffic -- [options]

{options}

The clients make about 240 calls and know nothing of what is broken. Each deployment is judged twice: by what
passed the proxy, and by an HTTP Archive of it.

Exit codes: 0 if at least 80 % of the broken deployments are found and no correct one is blamed; 1 otherwise;
2 if nothing is chosen.
`;

/** The part of the broken deployments that ordinary traffic must show. */
const goal = 0.8;

const { values } = readArguments(usage, {
  ...labOptions,
  kind: namesOption('KIND,...', 'only these kinds: broken, fair'),
});
const { sample, concurrency } = values;

process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = Object.entries({ broken, fair } satisfies Partial<Record<RowKind, Row[]>>)
    .flatMap(([kind, rows]) => rows.map((row) => ({ row, kind: kind as RowKind })))
    .filter(({ row, kind }) => isNamed(values.only, row.id) && isNamed(values.kind, kind))
    .filter((_, index) => index % sample === 0);
  if (chosen.length === 0) {
    process.stderr.write('No row has that id or kind.\n');
    return 2;
  }
  const judgements: TrafficJudgement[] = [];
  const queue = chosen.values();
  const worker = async () => {
    for (const { row, kind } of queue) {
      const judgement = await judgeTraffic(row, kind);
      judgements.push(judgement);
      tell(judgement);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (values.json) await writeFile(values.json, `${JSON.stringify(judgements, null, 2)}\n`);
  return ['passing' as const, 'recorded' as const].every((way) => summarise(judgements, way))
    ? 0
    : 1;
}

function tell({ id, kind, about, clause, calls, passing, recorded }: TrafficJudgement): void {
  const wrong = kind === 'fair' ? 'FALSE ALARM' : 'MISSED';
  for (const [way, { right, drift }] of Object.entries({ passing, recorded })) {
    const checks = [...new Set(drift.map(({ check }) => check))].join(', ');
    if (right && values.verbose) say(`right   ${id} (${way})  ${checks}  ${calls} calls`);
    if (right) continue;
    say(`${wrong}  ${id} (${way}): ${about} (${clause}; ${calls} calls)`);
    for (const { check, message, actual } of drift) say(`    ${check}: ${message} (${actual})`);
  }
}

/** Says how many were right, and whether that is enough. */
function summarise(judgements: TrafficJudgement[], way: 'passing' | 'recorded'): boolean {
  const ofKind = (kind: RowKind) => judgements.filter((one) => one.kind === kind);
  const [bad, good] = [ofKind('broken'), ofKind('fair')];
  const found = bad.filter((one) => one[way].right).length;
  const alarms = good.filter((one) => !one[way].right).length;
  const rate = bad.length === 0 ? 1 : found / bad.length;
  say('');
  say(way === 'passing' ? 'as it passed the proxy' : 'from an HTTP Archive');
  say(`found         ${found} of ${bad.length} (${(100 * rate).toFixed(1)} %)`);
  say(`false alarms  ${alarms} of ${good.length}`);
  return rate >= goal && alarms === 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

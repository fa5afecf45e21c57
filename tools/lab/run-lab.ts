import { writeFile } from 'node:fs/promises';
import { namesOption, readArguments } from '../read-arguments.ts';
import { broken } from './broken.ts';
import { fair } from './fair.ts';
import { createVerifyProcess, type Judgement, judge, type RowKind } from './judge.ts';
import { misaddressed } from './misaddressed.ts';
import { isNamed, labOptions } from './options.ts';
import type { Row } from './row.ts';
import { type SettingName, settings } from './settings.ts';
import { findSilentChecks, findStaleReasons, type Silent } from './silent-checks.ts';
import { brokenWebhooks, fairWebhooks } from './webhooks.ts';

const usage = `Runs the contract suite against broken deployments, correct ones (fair), and wrong addresses (misaddressed).

Usage: npm run kill-rate -- [options]

{options}

Settings:
${Object.entries(settings)
  .map(([name, { about }]) => `  ${name.padEnd(20)} ${about}`)
  .join('\n')}

Exit codes: 0 if in every setting each broken deployment is found, only by the checks that its row allows, no
correct one is blamed, each wrong address is reported, and no check falls silent that judged the plain
deployment; 1 otherwise; 2 if nothing is chosen.
`;

const rows: Record<RowKind, Row[]> = {
  broken: [...broken, ...brokenWebhooks],
  fair: [...fair, ...fairWebhooks],
  misaddressed,
};

const labels: Record<RowKind, { right: string; wrong: string }> = {
  broken: { right: 'found   ', wrong: 'MISSED' },
  fair: { right: 'fair    ', wrong: 'FALSE ALARM' },
  misaddressed: { right: 'reported', wrong: 'NOT REPORTED' },
};

/** A row in a setting, with the checks that decide less there than in the plain one. */
type Outcome = Judgement & { silent: Silent[] };

const { values } = readArguments(usage, {
  ...labOptions,
  family: namesOption('NAME,...', 'only these families'),
  kind: namesOption('KIND,...', 'only these kinds: broken, fair, misaddressed'),
  setting: namesOption(
    'NAME,...',
    'also judge each deployment in these settings and compare with the plain one; all for all',
  ),
});
const { sample, concurrency } = values;

process.exitCode = await main();

async function main(): Promise<number> {
  const chosen = Object.entries(rows)
    .flatMap(([kind, rows]) => rows.map((row) => ({ row, kind: kind as RowKind })))
    .filter(
      ({ row, kind }) =>
        isNamed(values.only, row.id) &&
        isNamed(values.family, row.family) &&
        isNamed(values.kind, kind),
    )
    .filter((_, index) => index % sample === 0);
  if (chosen.length === 0) {
    process.stderr.write('No row has that id, family or kind.\n');
    return 2;
  }
  const others = Object.keys(settings)
    .slice(1)
    .filter((name) =>
      values.setting?.some((one) => one === 'all' || one === name),
    ) as SettingName[];
  const started = performance.now();
  const judgements: Outcome[] = [];
  const pairs: Parameters<typeof findStaleReasons>[0][number][] = [];
  const queue = chosen.values();
  const note = (judgement: Outcome) => {
    judgements.push(judgement);
    tell(judgement);
  };
  const worker = async () => {
    const verify = createVerifyProcess();
    for (const { row, kind } of queue) {
      const plain = await judge(row, kind, { verify });
      note({ ...plain, silent: [] });
      const isLost = kind === 'broken' && !plain.right;
      for (const setting of others) {
        if (kind === 'misaddressed' || isLost || !isPossible(row, setting)) continue;
        const there = await judge(row, kind, { setting, verify });
        pairs.push({ plain, there });
        note({ ...there, silent: findSilentChecks(plain, there) });
      }
    }
    return verify.close();
  };
  const ends = await Promise.all(Array.from({ length: concurrency }, worker));
  if (values.json) await writeFile(values.json, `${JSON.stringify(judgements, null, 2)}\n`);
  summarise(judgements, (performance.now() - started) / 1000);
  const stale = findStaleReasons(pairs, placesOf([...rows.broken, ...rows.fair]));
  for (const { row, reason } of stale) say(`STALE  ${row} excuses no check: ${reason}`);
  // Nothing that a run leaves behind may keep its process alive.
  const lingering = ends.filter((end) => end !== undefined && end.code !== 0);
  if (lingering.length > 0) say('LINGERS  a run of verify kept its process from ending');
  const isRight = judgements.every(({ right, silent }) => right && silent.length === 0);
  return isRight && stale.length === 0 && lingering.length === 0 ? 0 : 1;
}

function tell({
  id,
  setting,
  about,
  kind,
  right,
  exitCode,
  verdict,
  drift,
  fits,
  seconds,
  requests,
  clause,
  output,
  silent,
}: Outcome): void {
  const checks = [...new Set(drift.map(({ check }) => check))].join(', ');
  const figures = `${seconds.toFixed(1)} s, ${requests} requests`;
  const name = setting === 'plain' ? id : `${id} (${setting})`;
  if (right && values.verbose)
    say(
      `${labels[kind].right}  ${name}  ${checks && `by ${checks}${fits ? '' : ` (none names ${clause})`}, `}${figures}`,
    );
  if (!right) {
    say(
      `${labels[kind].wrong}  ${name}: ${about} (${clause}; exit code ${exitCode}, verdict ${verdict}, ${figures})`,
    );
    for (const { check, message } of drift) say(`    ${check}: ${message}`);
    if (output) say(output.trim().replace(/^/gm, '    '));
  }
  for (const { check, plain, there } of silent)
    say(
      `SILENT  ${name}: ${check} is ${there.verdict} (${there.held} held), plain ${plain.verdict} (${plain.held} held)${there.reason ? `: ${there.reason}` : ''}`,
    );
}

function summarise(judgements: Outcome[], seconds: number): void {
  say('');
  for (const [family, rows] of Map.groupBy(judgements, (judgement) => judgement.family)) {
    const right = rows.filter((row) => row.right).length;
    say(
      `${family.padEnd(20)} ${String(right).padStart(3)} of ${rows.length}${right === rows.length ? '' : '  <'}`,
    );
  }
  for (const [setting, rows] of Map.groupBy(judgements, (judgement) => judgement.setting))
    summariseSetting(setting, rows);
  say('');
  say(`in all        ${seconds.toFixed(0)} s`);
}

function summariseSetting(setting: SettingName, judgements: Outcome[]): void {
  const ofKind = (kind: RowKind) => judgements.filter((row) => row.kind === kind);
  const [bad, good, elsewhere] = [ofKind('broken'), ofKind('fair'), ofKind('misaddressed')];
  const found = bad.filter(({ right }) => right);
  const alarms = good.filter(({ right }) => !right).length;
  const rate = bad.length ? ` (${((100 * found.length) / bad.length).toFixed(1)} %)` : '';
  say('');
  if (setting !== 'plain') say(`${setting}: ${settings[setting].about}`);
  say(
    `found         ${found.length} of ${bad.length}${rate}; ${found.filter(({ fits }) => fits).length} with a fitting section`,
  );
  say(`missed        ${bad.length - found.length}`);
  say(`false alarms  ${alarms} of ${good.length}`);
  if (setting === 'plain')
    say(
      `not reported  ${elsewhere.filter(({ right }) => !right).length} of ${elsewhere.length} wrong addresses`,
    );
  else
    say(
      `gone silent   checks of ${judgements.filter(({ silent }) => silent.length > 0).length} of ${judgements.length} rows`,
    );
  say(`time          ${figures(judgements.map((row) => row.seconds))} s a run`);
  say(`requests      ${figures(judgements.map((row) => row.requests))} a run`);
}

/** Each row in each setting that it can be judged in. */
function placesOf(rows: readonly Row[]): { id: string; setting: SettingName }[] {
  const names = Object.keys(settings).slice(1) as SettingName[];
  return rows.flatMap((row) =>
    names.filter((name) => isPossible(row, name)).map((setting) => ({ id: row.id, setting })),
  );
}

function isPossible({ rewrite, webhook, impossibleIn }: Row, setting: SettingName): boolean {
  const needsFront = rewrite !== undefined || webhook !== undefined;
  return (
    impossibleIn?.[setting] === undefined && (!needsFront || settings[setting].front !== undefined)
  );
}

function figures(numbers: number[]): string {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [median = 0, worst = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return `median ${Number(median.toFixed(1))}, worst ${Number(worst.toFixed(1))}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

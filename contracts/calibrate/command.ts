import { dump } from 'js-yaml';
import { count } from '../../common/cli/count.ts';
import { createCommand, type Environment } from '../../common/cli/create-command.ts';
import { watchSignals } from '../../common/cli/interruption.ts';
import { choice, text, toggle } from '../../common/cli/option-kinds.ts';
import { ensureWritable, replaceFile } from '../../common/cli/output-file.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { type OptionsOf, toHelpLines } from '../../common/cli/read-options.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { padTo, wrap } from '../../common/look/layout.ts';
import { print } from '../../common/look/print.ts';
import { toExcerpt, toVisible } from '../../common/look/visible.ts';
import { createRedactor } from '../../common/secrets/texts.ts';
import type { Api } from '../../openapi/index.ts';
import { toBaseUrl } from '../base-url.ts';
import { documentOptions, runOptions, targetOptions } from '../command/options.ts';
import { readToJudge } from '../document/read-document.ts';
import { createPaint, indented, type Paint } from '../report/terminal/paint.ts';
import { type Calibration, calibrate, type FoundPin, type UnpinnedSilence } from './calibrate.ts';

const { key } = targetOptions;
const { seed, readOnly, allowWrites } = runOptions;
const { wait, timeout, maxRequests, concurrency } = runOptions;

/** Every option of the command, in the order of the help. */
export const options = {
  target: text({
    value: 'URL',
    help: 'deployment to ask, including /v1; production and staging use BASE_URL and STAGING_BASE_URL',
  }),
  key,
  out: text({ value: 'FILE', help: 'where to write the profile (default: pins.yaml)' }),
  withExamples: toggle('record values of undescribed payloads too, not only their shape'),
  ...documentOptions,
  seed,
  readOnly,
  allowWrites,
  probeLimits: choice(
    "exhaust a key's limit on a target beyond loopback, to see a 429",
    'never exhaust a limit, not even on loopback',
  ),
  wait,
  timeout,
  maxRequests,
  concurrency,
};

export type Options = OptionsOf<typeof options>;

/**
 * Runs the command and gives its exit code: 0 where the pins are written, 1 where the target breaks
 * a stated clause besides, 2 where it cannot be asked or stops answering.
 */
export const runCommand = createCommand({
  name: 'calibrate',
  table: options,
  toHelpText,
  example: '--target URL or --key KEY',
  run: (options, { env }) => run(options, env),
});

async function run(options: Options, env: Environment): Promise<number> {
  const { target, key: keys, out = 'pins.yaml', ...given } = options;
  const document = await readToJudge(options);
  if (document.silences.length === 0)
    throw new UsageError(`${document.file} has no x-silences, so there is no behaviour to record.`);
  if (target === undefined)
    throw new UsageError('Name the deployment to ask: --target URL. See --help.');
  const url = toBaseUrl(target, document, env);
  await ensureWritable('--out', out);
  const progress = createProgressLine();
  let stage = '';
  const interruption = watchSignals(() => print('Interrupted.\n', process.stderr));
  try {
    const calibration = await calibrate(given, {
      ...{ document, url, keys, signal: interruption.signal },
      onEvent(event) {
        if (event.type === 'stage') stage = event.stage;
        if (event.type === 'exchange') progress.show(`${count(event.made, 'request')}, ${stage}`);
      },
    }).finally(() => progress.clear());
    const code = interruption.exitCode();
    if (code !== undefined) return code;
    const kept = await replaceFile(out, toOverlay(calibration, document));
    print(toText(calibration, { out, kept, paint: createPaint(process.stdout) }));
    return calibration.drift.length > 0 ? 1 : 0;
  } finally {
    interruption.dispose();
  }
}

/** The pins of a target as an OpenAPI Overlay 1.0, in YAML, without its keys. */
function toOverlay(
  { target, at, requests, pins, unpinned, unasked, secrets }: Calibration,
  document: Api,
): string {
  const overlay = {
    overlay: '1.0.0',
    info: {
      title: `What ${target} does where ${document.title} is silent`,
      version: at.slice(0, 10),
    },
    'x-calibrated': {
      requests,
      ...(unasked.length > 0 && { unasked }),
      ...(unpinned.length > 0 && {
        unpinned: Object.fromEntries(
          unpinned.map(({ silence, isAsked, reason, evidence }) => [
            silence,
            { asked: isAsked, reason, ...(evidence.length > 0 && { evidence }) },
          ]),
        ),
      }),
    },
    actions: [
      { target: '$', update: { 'x-pinned': { target, at } } },
      ...pins.map(({ silence, answer, words, evidence, times, confidence }) => ({
        target: `$['x-silences'][?@.id=='${silence}']`,
        update: { 'x-pin': { answer, summary: words, evidence, times, confidence } },
      })),
    ],
  };
  return toYaml(overlay, createRedactor(secrets));
}

/** YAML with changed texts; integers beyond those that are exact in JavaScript are rounded. */
function toYaml(value: unknown, change: (text: string) => string): string {
  const text = JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'string') return change(inner);
    return typeof inner === 'bigint' ? Number(inner) : inner;
  });
  return dump(JSON.parse(text), { lineWidth: 120, noRefs: true });
}

function toHelpText(command: string): string {
  return `petstore-twin calibrate: records a deployment's unspecified behaviour as a profile for the mock

Usage: ${command} --target URL --key NAME=KEY ... [--out pins.yaml] [options]

Options:
${toHelpLines(options)}

The profile is an OpenAPI Overlay 1.0 with one pin for each recorded behaviour. With --pins pins.yaml, the mock behaves
as the deployment does, and verify reports profile drift.

Exit codes:
  0    the profile is written
  1    the profile is written, but the deployment fails a stated clause
  2    the deployment could not be called or stopped answering, or the file could not be written; no file is changed
  130  interrupted by Ctrl-C (143 by SIGTERM); no file is changed

Examples:
  ${command} --target http://127.0.0.1:8080/v1 --key free=K1 --key pro=K2
  ${command} --target staging --key K --read-only --out staging-pins.yaml
`;
}

/** How much of an answer in words is shown; the file has all of it. */
const maxWords = 160;

type Line = (name: string, text: string) => string[];

/**
 * Returns a calibration as text for a terminal: pins, unpinned silences with reasons, and drift;
 * `kept` says where the text is that was replaced.
 */
function toText(
  { target, requests, pins, unpinned, unasked, drift, howToWrite }: Calibration,
  { out, kept, paint }: { out: string; kept: string; paint: Paint },
): string {
  const names = [...pins, ...unpinned].map(({ silence }) => toVisible(silence).length);
  const width = Math.max(...names, ...drift.map(({ check }) => check.length));
  const line: Line = (name, text) =>
    wrap(toVisible(text), paint.columns - width - 4).map(
      (part, index) => `  ${padTo(index === 0 ? toVisible(name) : '', width)}  ${part}`,
    );
  const asked = unpinned.filter(({ isAsked }) => isAsked);
  const notAsked = unpinned.filter(({ isAsked }) => !isAsked);
  const sentence = (text: string) => indented(toVisible(text), 0, paint);
  const lines = [
    ...sentence(`Asked ${target} with ${requests} requests.`),
    ...unasked.flatMap(sentence),
    ...list(
      'Recorded',
      pins.map((pin) => toPinLines(pin, line)),
    ),
    ...list(
      'Asked, but not recorded or only in part',
      asked.map((one) => toUnpinnedLines(one, line)),
    ),
    ...list(
      'Not asked',
      notAsked.map(({ silence, reason }) => line(silence, reason)),
    ),
    ...(howToWrite === undefined
      ? []
      : [
          '',
          ...sentence(
            `Nothing was created, so the behaviour of creates is not recorded. Run ${howToWrite}.`,
          ),
        ]),
    ...(drift.length === 0
      ? []
      : [
          '',
          ...sentence(
            `Failed clauses, ${drift.length}; nothing is recorded for them, and verify shows more:`,
          ),
          ...drift.flatMap(({ check, message }) => line(check, message)),
        ]),
    '',
    ...sentence(`Wrote ${out}. Start the mock with --pins ${out}.${kept}`),
  ];
  return `${lines.join('\n')}\n`;
}

function list(title: string, blocks: readonly string[][]): string[] {
  return blocks.length === 0 ? [] : ['', `${title}, ${blocks.length}:`, ...blocks.flat()];
}

function toPinLines(pin: FoundPin, line: Line): string[] {
  const { silence, words, times, confidence } = pin;
  return line(silence, `${toExcerpt(words, maxWords)} (${count(times, 'time')}, ${confidence})`);
}

function toUnpinnedLines({ silence, reason, evidence }: UnpinnedSilence, line: Line): string[] {
  const shown = evidence.slice(0, 3).flatMap((one) => line('', toExcerpt(one, maxWords)));
  return [...line(silence, toExcerpt(reason, 2 * maxWords)), ...shown];
}

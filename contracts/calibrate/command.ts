import { writeFile } from 'node:fs/promises';
import { dump } from 'js-yaml';
import { isLoopback, toBaseUrl } from '../cli/base-url.ts';
import { count } from '../cli/count.ts';
import { createCommand } from '../cli/create-command.ts';
import { watchSignals } from '../cli/interruption.ts';
import { createProgressLine } from '../cli/progress-line.ts';
import { UsageError } from '../cli/usage-error.ts';
import { whyUnwritable } from '../cli/why-unwritable.ts';
import { refuseUnknownPlans } from '../command/given-keys.ts';
import { isBuiltIn, needsKey, toDeployment } from '../command/verify-target.ts';
import { withoutNested } from '../description/collections/without-nested.ts';
import { type ApiDocument, builtInDocument, loadDocument } from '../description/document.ts';
import { print } from '../look/print.ts';
import { createPaint } from '../report/terminal/paint.ts';
import { createRedactor } from '../secrets/texts.ts';
import { type Calibration, calibrate } from './calibrate.ts';
import { type Options, options as table, toHelpText } from './options.ts';
import { toText } from './to-text.ts';

/**
 * Runs the command and gives its exit code: 0 where the pins are written, 1 where the target breaks
 * a stated clause besides, 2 where it cannot be asked or stops answering.
 */
export const runCommand = createCommand({
  name: 'calibrate',
  table,
  toHelpText,
  example: '--target URL or --key KEY',
  run: (options, { env }) => run(options, env),
});

async function run(
  options: Options,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { target, key: keys, out = 'pins.yaml', withExamples } = options;
  const { spec = builtInDocument, allowRefs } = options;
  const document = withoutNested(await loadDocument(spec, { allowRefs }));
  if (document.silences.length === 0)
    throw new UsageError(`${document.file} has no x-silences, so there is nothing to ask.`);
  if (target === undefined)
    throw new UsageError('Name the deployment to ask: --target URL. See --help.');
  const url = toBaseUrl(target, document, env);
  if (keys.length === 0 && needsKey(document))
    throw new UsageError('A target needs a key. Give --key KEY, or --key PLAN=KEY.');
  const reason = await whyUnwritable(out);
  if (reason !== undefined) throw new UsageError(`--out ${out} cannot be written: ${reason}.`);
  refuseUnknownPlans(keys, document);
  const deployment = toDeployment(url, { ...options, isBuiltIn: isBuiltIn(document), keys });
  const howToWrite = describeWriting(isLoopback(url) && isBuiltIn(document), options);
  const progress = createProgressLine();
  let stage = '';
  const interruption = watchSignals(() => print('Interrupted.\n', process.stderr));
  try {
    const calibration = await calibrate({
      ...options,
      withExamples,
      howToWrite,
      document,
      targets: [deployment],
      signal: interruption.signal,
      onEvent(event) {
        if (event.type === 'stage') stage = event.stage;
        if (event.type === 'exchange') progress.show(`${count(event.made, 'request')}, ${stage}`);
      },
    }).finally(() => progress.clear());
    const code = interruption.exitCode();
    if (code !== undefined) return code;
    const secrets = keys.map(({ secret }) => secret);
    await write(out, toOverlay(calibration, { document, secrets }));
    const paint = createPaint(process.stdout);
    print(toText(calibration, { out, paint, ...(!deployment.writes && { howToWrite }) }));
    return calibration.drift.length > 0 ? 1 : 0;
  } finally {
    interruption.dispose();
  }
}

/** How a run is started that may create items on a target. */
function describeWriting(isFree: boolean, { readOnly }: Pick<Options, 'readOnly'>): string {
  if (isFree) return 'without --read-only';
  return readOnly ? 'with --allow-writes in place of --read-only' : 'with --allow-writes';
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--out ${file} could not be written (${code ?? message}).`);
  }
}

/** The pins of a target as an OpenAPI Overlay 1.0, in YAML, without its keys. */
function toOverlay(
  { target, at, requests, pins, unpinned, unasked }: Calibration,
  { document, secrets }: { document: ApiDocument; secrets: readonly string[] },
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
      ...pins.map(({ silence, answer, words, evidence, times, confidence, unsure }) => ({
        target: `$['x-silences'][?@.id=='${silence}']`,
        update: { 'x-pin': { answer, summary: words, evidence, times, confidence, unsure } },
      })),
    ],
  };
  return createRedactor(secrets)(toYaml(overlay));
}

const mark = 'integer:';

/** YAML, large integers as they are. */
function toYaml(value: unknown): string {
  const text = dump(withMarks(value), { lineWidth: 120, noRefs: true });
  return text.replace(new RegExp(`['"]?${mark}(-?\\d+)['"]?`, 'g'), '$1');
}

function withMarks(value: unknown): unknown {
  if (typeof value === 'bigint')
    return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))
      ? Number(value)
      : `${mark}${value}`;
  if (Array.isArray(value)) return value.map(withMarks);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, withMarks(inner)]),
  );
}

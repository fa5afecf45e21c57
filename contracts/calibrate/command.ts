import { writeFile } from 'node:fs/promises';
import { dump } from 'js-yaml';
import { count } from '../../common/cli/count.ts';
import { createCommand } from '../../common/cli/create-command.ts';
import { watchSignals } from '../../common/cli/interruption.ts';
import { createProgressLine } from '../../common/cli/progress-line.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { whyUnwritable } from '../../common/cli/why-unwritable.ts';
import { print } from '../../common/look/print.ts';
import { createRedactor } from '../../common/secrets/texts.ts';
import type { Api } from '../../openapi/index.ts';
import { isLoopback, toBaseUrl } from '../base-url.ts';
import { narrowSecurity, refuseUnknownPlans, toGivenKeys } from '../command/given-keys.ts';
import { isBuiltIn, needsKey, toDeployment } from '../command/verify-target.ts';
import { readToJudge } from '../document/read-document.ts';
import { createPaint } from '../report/terminal/paint.ts';
import { secretsOf } from '../verify/options.ts';
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
  const document = await readToJudge(options);
  narrowSecurity(document, { isOpen: false, keys });
  if (document.silences.length === 0)
    throw new UsageError(`${document.file} has no x-silences, so there is nothing to ask.`);
  if (target === undefined)
    throw new UsageError('Name the deployment to ask: --target URL. See --help.');
  const url = toBaseUrl(target, document, env);
  if (keys.length === 0 && needsKey(document))
    throw new UsageError(
      'A target needs a key. Give --key KEY, or --key NAME=KEY with its plan or security scheme.',
    );
  const reason = await whyUnwritable(out);
  if (reason !== undefined) throw new UsageError(`--out ${out} cannot be written: ${reason}.`);
  refuseUnknownPlans(keys, document);
  const deployment = toDeployment(url, {
    ...options,
    isBuiltIn: isBuiltIn(document),
    keys: toGivenKeys(keys, document),
  });
  const isFree = isLoopback(url) && isBuiltIn(document);
  const howToWrite = isFree ? 'without --read-only' : 'with --allow-writes';
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
    await writeFile(out, toOverlay(calibration, { document, secrets: secretsOf(deployment) }));
    const paint = createPaint(process.stdout);
    print(toText(calibration, { out, paint, ...(!deployment.writes && { howToWrite }) }));
    return calibration.drift.length > 0 ? 1 : 0;
  } finally {
    interruption.dispose();
  }
}

/** The pins of a target as an OpenAPI Overlay 1.0, in YAML, without its keys. */
function toOverlay(
  { target, at, requests, pins, unpinned, unasked }: Calibration,
  { document, secrets }: { document: Api; secrets: readonly string[] },
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

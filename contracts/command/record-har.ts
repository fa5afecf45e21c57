import { resolve } from 'node:path';
import { ensureWritable } from '../../common/cli/output-file.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { say } from '../../common/look/print.ts';
import type { Api } from '../../openapi/index.ts';
import { createHarWriter } from '../har/har-writer.ts';
import { listReports, type ReportFiles } from '../report/files.ts';
import type { PassedExchange } from '../run/http/target.ts';
import { secretsOf, type VerifyTarget } from '../verify/options.ts';
import { toKeys } from '../verify/run-targets.ts';
import type { Options } from './options.ts';

/** Records what a run does in an archive. */
export interface HarRecorder {
  add(exchange: PassedExchange, target: string): void;
  /** Ends the archive, and gives what is wrong with it, as a sentence, if something is. */
  end(): Promise<string | undefined>;
}

/** Returns options in which `--learn` records as `--har` does. Throws a {@link UsageError}. */
export function withLearn<Given extends Pick<Options, 'har' | 'learn'>>(given: Given): Given {
  const { har, learn } = given;
  if (har !== undefined && learn !== undefined)
    throw new UsageError('--learn records as --har does. Leave one of them out.');
  return { ...given, har: har ?? learn };
}

/** Says how to learn from what was recorded at a base URL, where `--learn` recorded it. */
export function sayHowToLearn(
  command: string,
  { learn, spec }: Pick<Options, 'learn' | 'spec'>,
  url: string | undefined,
): void {
  if (learn === undefined || url === undefined) return;
  const document = spec === undefined ? '' : ` --spec ${spec}`;
  say(
    command,
    `Learn from ${learn} with: petstore-twin learn ${learn} --base-url ${url}${document}`,
  );
}

/**
 * Checks what is asked of an archive, before anything is called. Rejects with a {@link UsageError}.
 */
export async function checkHarOptions(
  options: Pick<Options, 'har' | 'redact'> & ReportFiles,
): Promise<void> {
  const { har, redact } = options;
  if (har === undefined && redact.length > 0)
    throw new UsageError('--redact hides values in a HAR; give --har FILE too.');
  if (har === '-') throw new UsageError('--har needs a file, and cannot go to standard output.');
  const same = listReports(options).find(
    ({ file }) => har !== undefined && resolve(file) === resolve(har),
  );
  if (same) throw new UsageError(`--${same.format} and --har name the same file, ${har}.`);
  if (har !== undefined) await ensureWritable('--har', har);
}

/**
 * Opens the archive that the options name, with a page for each target, and a name for each of its
 * keys. Throws a UsageError where it cannot be written.
 */
export async function recordHar(
  { har, redact }: Pick<Options, 'har' | 'redact'>,
  { targets, document }: { targets: readonly VerifyTarget[]; document: Api },
): Promise<HarRecorder | undefined> {
  if (har === undefined) return undefined;
  const pages = targets.map(({ name, url }) => ({ id: name, title: `${name}: ${url}` }));
  const keys = targets.flatMap((target) =>
    secretsOf(target).map((secret) => ({ name: nameOf(target, secret), secret })),
  );
  const writer = await createHarWriter(har, {
    ...{ keys, pages },
    redact: [...redact, ...document.schemas.passwordNamesOf()],
  });
  return {
    add: writer.add,
    end: () =>
      writer.close().then(
        ({ leftOut }) =>
          leftOut === 0
            ? undefined
            : `--har ${har} is without ${leftOut} exchanges, as the disk was too slow.`,
        (error) => (error as Error).message,
      ),
  };
}

/** The name of a secret in an archive: that of its key in the report, if it is one. */
function nameOf(target: VerifyTarget, secret: string): string {
  const key = toKeys(target).find((one) => one.secret === secret);
  return `${target.name}-${key?.name ?? 'secret'}`;
}

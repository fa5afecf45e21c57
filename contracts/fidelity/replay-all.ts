import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text, wholeNumber } from '../../common/cli/option-kinds.ts';
import type { OptionTable } from '../../common/cli/read-options.ts';
import { withTempFolder } from '../../common/cli/temp-folder.ts';
import { UsageError } from '../../common/cli/usage-error.ts';
import { toJson } from '../../common/json.ts';
import { say } from '../../common/look/print.ts';
import type { Api } from '../../openapi/index.ts';
import { documentOptions } from '../command/options.ts';
import { type DocumentSettings, readDocument } from '../document/read-document.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import type { Replay } from './replay.ts';
import { readRecording, replayAlone } from './replay-file.ts';

/** The options of commands that replay recordings. */
export const replayOptions = {
  baseUrl: text({ value: 'URL', help: 'base URL of the deployment that was recorded' }),
  ...documentOptions,
  timeout: wholeNumber({
    value: 'MS',
    help: 'maximum wait for an answer of the mock',
    min: 1,
    default: 5000,
    unit: 'milliseconds',
  }),
} satisfies OptionTable;

/** Recordings by their files, each a run of its own. */
export type Recordings = ReadonlyMap<string, readonly RecordedExchange[]>;

/** Holds the replayed calls of recordings, by their files, and the document that the twins had. */
export type Round = { document: Api; runs: ReadonlyMap<string, readonly Replay[]> };

/** Reads the recordings that a command is about. Throws a {@link UsageError} where there are none. */
export async function readAll(files: readonly string[], command: string): Promise<Recordings> {
  if (files.length === 0) throw new UsageError('Name a recording, such as calls.har. See --help.');
  const read = files.map(async (file) => [file, await readRecording(file, command)] as const);
  const recordings = new Map(await Promise.all(read));
  const firsts = new Map<string, string>();
  for (const [file, exchanges] of recordings) {
    const calls = toJson(
      exchanges.map(({ request, sentAt }) => [request.method, request.url, sentAt]),
    );
    const first = firsts.get(calls);
    if (first === undefined) firsts.set(calls, file);
    // Seen twice, anything looks sure.
    else if (recordings.delete(file))
      say(command, `${file} has the calls of ${first} and is left out.`);
  }
  return recordings;
}

/**
 * Replays recordings, each on a twin of its own, with a further overlay if there is one. Throws a
 * {@link UsageError} where no call of the base URL was recorded.
 */
export async function replayAll(
  recordings: Recordings,
  {
    settings: given,
    overlay,
    baseUrl,
    timeout,
    onReplayed,
  }: {
    settings: DocumentSettings;
    overlay?: string | undefined;
    baseUrl: string;
    timeout: number;
    onReplayed: () => void;
  },
): Promise<Round> {
  return withTempFolder(async (folder) => {
    const file = join(folder, 'overlay.yaml');
    if (overlay !== undefined) await writeFile(file, overlay);
    const overlays = [given.overlay, overlay === undefined ? undefined : file].filter(Boolean);
    const settings = { ...given, overlay: overlays.join(',') || undefined };
    const document = await readDocument(settings, { isStated: false });
    const runs = new Map<string, Replay[]>();
    for (const [name, exchanges] of recordings) {
      const replayed: Replay[] = [];
      runs.set(name, replayed);
      await replayAlone(exchanges, {
        ...{ settings, document, baseUrl, timeout },
        onReplayed(one) {
          replayed.push(one);
          onReplayed();
        },
      });
    }
    if ([...runs.values()].every(({ length }) => length === 0))
      throw new UsageError(`No answer of ${baseUrl} was recorded.`);
    if ([...runs.values()].flat().every(({ operation }) => !operation))
      throw new UsageError(
        `No recorded call of ${baseUrl} is an operation of ${document.title}. Name the document of the service with --spec.`,
      );
    return { document, runs };
  });
}

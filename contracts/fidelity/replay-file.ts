import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withTempFolder } from '../../common/cli/temp-folder.ts';
import { say } from '../../common/look/print.ts';
import { startTwin } from '../command/twin-process.ts';
import { demoKeys } from '../command/verify-target.ts';
import { type CollectedItems, createItemCollector, toDataText } from '../data/collect-items.ts';
import type { DocumentSettings } from '../document/read-document.ts';
import { readExchanges } from '../har/read-recordings.ts';
import { asMeant, asRead, documentAsMeant } from '../traffic/as-read.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import { type ReplayOptions, replay } from './replay.ts';

type FileOptions = Omit<ReplayOptions, 'twinUrl' | 'key'> & { settings: DocumentSettings };

/** Replays a recording on a twin of its own, which begins with what the recording shows. */
export async function replayAlone(
  recorded: readonly RecordedExchange[],
  { settings, document, baseUrl, timeout, onReplayed }: FileOptions,
): Promise<void> {
  const exchanges = recorded.map((one) => asRead(one, { document, baseUrl }));
  const items = await collectInitial(exchanges, { document, baseUrl });
  await withTempFolder(async (folder) => {
    const file = join(folder, 'data.json');
    const data = items.size > 0 ? file : undefined;
    if (data !== undefined) await writeFile(data, toDataText(items));
    const twin = await startTwin({
      ...settings,
      seed: 1,
      document,
      ...(data ? { data } : { items: 0 }),
    });
    const key = demoKeys.at(-1)?.secret ?? '';
    const options = { document, baseUrl, twinUrl: twin.url, key, timeout, onReplayed };
    await replay(exchanges, options).finally(twin.stop);
  });
}

/** Collects the items that a recording shows and did not create. */
export async function collectInitial(
  exchanges: readonly RecordedExchange[],
  { document, baseUrl }: Pick<FileOptions, 'document' | 'baseUrl'>,
): Promise<CollectedItems> {
  const collector = createItemCollector({
    document: documentAsMeant(document),
    baseUrl,
    isInitial: true,
  });
  for (const one of exchanges) await collector.add(asMeant(one, { document, baseUrl }));
  return collector.items();
}

/** Reads a recording in the order of sending; names what cannot be read. */
export async function readRecording(file: string, command: string): Promise<RecordedExchange[]> {
  const exchanges: RecordedExchange[] = [];
  for await (const one of readExchanges(file, (text) => say(command, text))) exchanges.push(one);
  return exchanges.toSorted((left, right) => left.sentAt - right.sentAt);
}

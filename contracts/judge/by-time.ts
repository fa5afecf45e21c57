import type { Recording } from '../har/read-recordings.ts';
import { isSkipped } from '../har/read-recordings.ts';

/** A recording with the file that it is from. */
export type FromFile = { file: string; recording: Recording };

type Source = { file: string; recordings: AsyncGenerator<Recording>; next: Recording | undefined };

/**
 * The entries of several recordings, each in order of sending, as one: what was sent first comes
 * first. Entries that are passed over come as soon as they are read.
 */
export async function* byTime(
  files: readonly string[],
  read: (file: string) => AsyncGenerator<Recording>,
): AsyncGenerator<FromFile> {
  const sources: Source[] = [];
  for (const file of files) {
    const source: Source = { file, recordings: read(file), next: undefined };
    await advance(source);
    sources.push(source);
  }
  for (;;) {
    const open = sources.filter((source) => source.next !== undefined);
    const [first] = open.toSorted((left, right) => timeOf(left) - timeOf(right));
    if (!first?.next) return;
    yield { file: first.file, recording: first.next };
    await advance(first);
  }
}

async function advance(source: Source): Promise<void> {
  const { done, value } = await source.recordings.next();
  source.next = done ? undefined : value;
}

function timeOf({ next }: Source): number {
  return next === undefined || isSkipped(next) ? Number.NEGATIVE_INFINITY : next.sentAt;
}

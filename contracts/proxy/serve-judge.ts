import { setPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { count } from '../cli/count.ts';
import { UsageError } from '../cli/usage-error.ts';
import { withoutNested } from '../description/collections/without-nested.ts';
import { builtInDocument, DocumentError, loadDocument } from '../description/document.ts';
import { keyNamesOf } from '../description/key-places.ts';
import { createHarWriter, type HarWriter } from '../har/har-writer.ts';
import type { Report } from '../report/events.ts';
import { formatReport } from '../report/files.ts';
import { createTrafficJudge, type TrafficJudge } from '../traffic/traffic-judge.ts';
import type { Asked, JudgeSettings, Said } from './judge-messages.ts';

/** How much longer than it worked a busy judge rests, so that it takes a fifth of a core. */
const rest = 4;
const maxRest = 2000;

/** How soon exchanges are judged that do not fill a window, in milliseconds. */
const soon = 300;

type Tools = { judge: TrafficJudge; har: HarWriter | undefined };

/** Judges what comes through a port, until it is asked to finish. */
export async function serveJudge(port: MessagePort, settings: JudgeSettings): Promise<void> {
  const say = (said: Said) => port.postMessage(said);
  // On Linux each thread has a priority of its own; elsewhere it would be the proxy's.
  if (process.platform === 'linux') setPriority(10);
  const hurry = new AbortController();
  let tools: Tools;
  try {
    tools = await open(settings, (finding) => say({ say: 'finding', finding }));
  } catch (error) {
    say({ say: 'failed', ...toFailed(error as Error) });
    port.close();
    return;
  }
  const { judge, har } = tools;
  let look: NodeJS.Timeout | undefined;
  let spent = 0;
  const lookSoon = () => {
    look ??= setTimeout(
      async () => {
        const start = performance.now();
        await judge.judgeNow();
        spent = performance.now() - start;
        look = undefined;
      },
      Math.max(soon, spent * rest),
    );
  };
  const answer = async (asked: Asked): Promise<unknown> => {
    if (asked.ask === 'hurry') return undefined;
    if (asked.ask === 'judge') {
      const start = performance.now();
      for (const recorded of asked.exchanges) {
        await judge.add(recorded);
        har?.add(recorded);
      }
      lookSoon();
      const busy = performance.now() - start;
      const pause = Math.min(busy * rest, maxRest);
      await wait(pause, undefined, { signal: hurry.signal }).catch(() => {});
      return undefined;
    }
    const report = withDropped(await judge.report(), asked.dropped);
    if (asked.ask === 'render') return formatReport(report, asked.format, settings);
    clearTimeout(look);
    await judge.close();
    // Without an archive there is still a report.
    const archive = await har?.close().catch(({ message }: Error) => ({ failure: message }));
    return { report, archive };
  };
  let last = Promise.resolve();
  port.on('message', (asked: Asked) => {
    // Nobody rests when the proxy ends.
    if (asked.ask === 'hurry') hurry.abort();
    last = last
      .then(() => answer(asked))
      .then((value) => say({ say: 'answer', id: asked.id, value }))
      .catch((error) => say({ say: 'failed', id: asked.id, ...toFailed(error) }));
  });
  say({ say: 'ready' });
}

async function open(
  { spec = builtInDocument, allowRefs, har, ...settings }: JudgeSettings,
  onFinding: Parameters<typeof createTrafficJudge>[0]['onFinding'],
): Promise<Tools> {
  const document = withoutNested(await loadDocument(spec, { allowRefs }));
  const judge = createTrafficJudge({ ...settings, document, ...(onFinding && { onFinding }) });
  return {
    judge,
    har:
      har &&
      (await createHarWriter(har.file, {
        ...har,
        keys: nameKeys(settings.keys),
        keyNames: keyNamesOf(document.operations),
      })),
  };
}

/** The names of keys: `free-1` is the first of the free plan, `key-1` the first without a plan. */
function nameKeys(keys: JudgeSettings['keys']): { name: string; secret: string }[] {
  const counts = new Map<string, number>();
  return keys.map(({ plan = 'key', secret }) => {
    const number = (counts.get(plan) ?? 0) + 1;
    counts.set(plan, number);
    return { name: `${plan}-${number}`, secret };
  });
}

/** A report that says how many exchanges were never judged. */
function withDropped(report: Report, dropped: number): Report {
  if (dropped === 0) return report;
  const why = `${count(dropped, 'exchange')} passed faster than they could be judged`;
  const { verdict, incomplete } = report;
  return {
    ...report,
    verdict: verdict === 'clean' ? 'incomplete' : verdict,
    incomplete: [...incomplete, why],
  };
}

function toFailed(error: Error): { message: string; isExpected: boolean } {
  const isExpected = [UsageError, DocumentError].some((kind) => error instanceof kind);
  return { message: error.message, isExpected };
}

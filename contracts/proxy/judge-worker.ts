import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { count } from '../../common/cli/count.ts';
import { keyNamesOf } from '../../openapi/model/key-places.ts';
import { toTrafficKeys } from '../command/given-keys.ts';
import { readToJudge } from '../document/read-document.ts';
import { createHarWriter, type HarTotals } from '../har/har-writer.ts';
import type { BaselineEntry } from '../judging/baseline.ts';
import type { Finding, Report } from '../report/events.ts';
import { formatReport } from '../report/files.ts';
import { createKeyBook, type GivenKey } from '../traffic/key-book.ts';
import type { RecordedExchange } from '../traffic/read-outcome.ts';
import { TrafficJudge } from '../traffic/traffic-judge.ts';
import type { ProxyOptions } from './options.ts';

/** Settings for the thread that judges. */
export type JudgeSettings = Pick<ProxyOptions, 'key' | 'strict'> &
  Partial<
    Pick<
      ProxyOptions,
      'spec' | 'overlay' | 'allowRefs' | 'docs' | 'har' | 'redact' | 'webhookSecret'
    >
  > & {
    /** The base URL of the target. */
    baseUrl: string;
    baseline: readonly BaselineEntry[];
  };

/** The final result of a judge: the report, and the totals or the failure of the HTTP Archive. */
export type JudgeResult = { report: Report; archive?: HarTotals | { failure: string } };

/**
 * Tasks of the thread, done one after another. `dropped` counts exchanges that were never judged.
 */
export type Tasks = {
  open(settings: JudgeSettings): Promise<void>;
  judge(recorded: RecordedExchange): Promise<void>;
  /** The report so far, as text. */
  render(format: 'json' | 'html', dropped: number): Promise<string>;
  /** Judges and writes what is left. */
  finish(dropped: number): Promise<JudgeResult>;
};

/** Messages of the thread: a reply to each task, in order, with findings in between. */
export type ThreadMessage = { finding: Finding } | { value: unknown } | { failure: string };

/** How soon exchanges are judged that do not fill a window, in milliseconds. */
const soon = 300;

/** How much longer than it last took to judge these, it is at least until they are judged again. */
const patience = 4;

if (parentPort) {
  const port = parentPort;
  const say = (said: ThreadMessage) => port.postMessage(said);
  // On Linux each thread has a priority of its own; elsewhere it would be the proxy's.
  if (process.platform === 'linux') setPriority(10);
  const tasks = createTasks((finding) => say({ finding }));
  let last = Promise.resolve();
  port.on('message', ([task, ...given]: [keyof Tasks, ...unknown[]]) => {
    const work = tasks[task] as (...all: unknown[]) => Promise<unknown>;
    last = last
      .then(() => work(...given))
      .then((value) => say({ value }))
      .catch((error: Error) => say({ failure: error.message }));
  });
}

/** Judges exchanges as `judge` judges those of a recording, and writes them to an archive. */
function createTasks(onFinding: (finding: Finding) => void): Tasks {
  let tools: Awaited<ReturnType<typeof openTools>>;
  let look: NodeJS.Timeout | undefined;
  let spent = 0;
  const lookNow = async () => {
    const start = performance.now();
    await tools.judge.judgeNow();
    spent = performance.now() - start;
    look = undefined;
  };
  const report = async (dropped: number) => withDropped(await tools.judge.report(), dropped);
  return {
    async open(settings) {
      tools = await openTools(settings, onFinding);
    },
    async judge(recorded) {
      await tools.judge.add(recorded);
      tools.har?.add(recorded);
      look ??= setTimeout(lookNow, Math.max(soon, spent * patience));
    },
    render: async (format, dropped) => formatReport(await report(dropped), format, tools.settings),
    async finish(dropped) {
      const finished = await report(dropped);
      clearTimeout(look);
      // Without an archive there is still a report.
      const archive = await tools.har?.close().catch(({ message }) => ({ failure: message }));
      return { report: finished, ...(archive && { archive }) };
    },
  };
}

async function openTools(settings: JudgeSettings, onFinding: (finding: Finding) => void) {
  const { key, har, redact = [], ...rest } = settings;
  const document = await readToJudge(settings);
  const keys = toTrafficKeys(key, document);
  const judge = new TrafficJudge({ ...rest, keys, document, onFinding });
  const names = { keys: nameKeys(keys), keyNames: keyNamesOf(document.operations) };
  return {
    settings,
    judge,
    har: har === undefined ? undefined : await createHarWriter(har, { redact, ...names }),
  };
}

/** The keys with the names that reports give them. */
function nameKeys(given: readonly GivenKey[]): { name: string; secret: string }[] {
  const book = createKeyBook(given);
  return book.secrets().map((secret) => ({ name: book.nameOf(secret) ?? 'key', secret }));
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

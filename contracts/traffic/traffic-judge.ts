import { setImmediate as nextTurn } from 'node:timers/promises';
import { checks as allChecks } from '../checks/index.ts';
import { toApplicable } from '../clauses/applicable.ts';
import type { ApiDocument } from '../description/document.ts';
import { asksForKey } from '../description/key-places.ts';
import type { BaselineEntry } from '../judging/baseline.ts';
import { judge } from '../judging/judge.ts';
import type { Finding, Report } from '../report/events.ts';
import { compileBodies, compileResponses } from '../transcript/schema/validator.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { createGuard } from '../verify/guard.ts';
import { createClientWatch } from './client-faults.ts';
import { createHangWatch } from './hang-watch.ts';
import { createKeyBook, type GivenKey, type KeyUse } from './key-book.ts';
import { createMemory } from './memory.ts';
import { createRecentBodies } from './recent-bodies.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { settle } from './settle.ts';
import { createSilenceNotes } from './silence-notes.ts';
import { createTally } from './tally.ts';
import { type Call, toCall, toPathBelow } from './to-call.ts';
import { toFaultFinding, toFindings, toTrafficReport } from './to-report.ts';
import { createTotals, unansweredAtEnd } from './totals.ts';

export type TrafficJudgeOptions = {
  document: ApiDocument;
  /** The base URL of the target; calls of other addresses are counted and left out. */
  baseUrl: string;
  /** Keys whose plan is known, or that are known to be valid. */
  keys?: readonly GivenKey[];
  /** Whether a call may have the name of a key in its place, as in a recording of ours. */
  takesKeyNames?: boolean;
  baseline?: readonly BaselineEntry[];
  strict?: boolean;
  /** Where the reference of the document is published, for links. */
  docs?: string;
  /** Called once for each new finding. */
  onFinding?: (finding: Finding) => void;
  /** Called while exchanges are judged, with how many are left of those that were added. */
  onProgress?: (left: number) => void;
};

/** Judges the traffic of others by the checks of the suite, in bounded memory. */
export interface TrafficJudge {
  /**
   * Adds an exchange, in the order in which they ended. Resolves once it may be forgotten; whoever
   * reads a file waits for that, so that no more is read than can be judged.
   */
  add(recorded: RecordedExchange): Promise<void>;
  /**
   * Counts an entry of a recording that is not judged; `isMissed` says whether it may have been a call
   * of the target.
   */
  leaveOut(reason: string, options?: { isMissed: boolean }): void;
  /** Judges what was added and not judged yet, so that findings show before a window is full. */
  judgeNow(): Promise<void>;
  /** What was found in all that was added so far. */
  report(): Promise<Report>;
  /** Which keys the calls had that were added so far. */
  keyUse(): KeyUse;
  /** Ends it; no more is added. */
  close(): Promise<void>;
}

/**
 * The exchanges of a window, which are judged together with those of the one before, and the bytes of
 * their bodies; parsed, these take several times as much.
 */
const maxExchanges = 1000;
const maxBytes = 8 * 1024 * 1024;

/**
 * Opens a judge of traffic. The same exchanges in the same order give the same report. Throws a
 * DocumentError for a schema that cannot be compiled.
 */
export function createTrafficJudge({
  document,
  baseUrl,
  keys: givenKeys = [],
  takesKeyNames = false,
  baseline = [],
  strict = false,
  docs,
  onFinding = () => {},
  onProgress = () => {},
}: TrafficJudgeOptions): TrafficJudge {
  const { checks, notApplicable } = toApplicable(
    document,
    allChecks.filter(({ id }) => id !== 'second-opinion'),
  );
  const validators = compileResponses(document);
  const bodies = compileBodies(document);
  const keys = createKeyBook(givenKeys, { takesNames: takesKeyNames });
  const readBody = createRecentBodies();
  const memory = createMemory(document);
  const tally = createTally();
  const totals = createTotals(document);
  const silences = createSilenceNotes(document);
  const watch = createClientWatch(document);
  const hangs = createHangWatch();
  const guard = createGuard();
  const announced = new Set<string>();
  const target = { name: 'target', url: baseUrl };
  const parts = { document, target, checks, notApplicable, keys, tally, totals, silences, guard };
  const settings = { strict, baseline, ...(docs !== undefined && { docs }) };
  let [before, now]: [Call[], Call[]] = [[], []];
  let [bytes, number, judged] = [0, 0, 0];
  let queue = Promise.resolve();

  const toTranscript = (calls: readonly Call[]): Transcript => ({
    document,
    target,
    keys: keys.keys(),
    refusedKeys: [],
    validators,
    secondOpinions: new Map(),
    trials: [],
    exchanges: settle(calls, { document, memory }),
    skipped: [],
    isTraffic: true,
  });
  const announce = () => {
    for (const finding of toFindings(parts, settings)) {
      const own = [finding, ...finding.related].map(
        ({ check, message }) => `${check} ${message.replace(/\d+/g, '#')}`,
      );
      const isNew = !announced.has(own[0] as string);
      for (const one of own) announced.add(one);
      if (isNew)
        guard.run(
          'telling of a finding',
          () => {},
          () => onFinding(finding),
        );
    }
  };
  const seeClients = (calls: readonly Call[]) => {
    const sorted = calls.toSorted((left, right) => left.exchange.sentAt - right.exchange.sentAt);
    for (const { exchange, credential } of sorted) {
      // What was left out is in no other count either.
      if (exchange.failure?.message === unansweredAtEnd) continue;
      for (const fault of watch.see(exchange, credential))
        tally.addFault(fault, toFaultFinding(fault, target));
    }
  };
  const judgeWindow = async () => {
    const left = number - judged;
    const transcript = toTranscript([...before, ...now]);
    for (const [index, check] of checks.entries()) {
      tally.add(judge(transcript, [check], { onHold: tally.hold }));
      onProgress(left * (1 - (index + 1) / checks.length));
      // All of them at once would hold up whatever else the process does.
      await nextTurn();
    }
    silences.observe(transcript);
  };
  const pass = async () => {
    if (judged === number) return;
    const kinds = tally.kinds();
    seeClients(now.filter(({ exchange }) => exchange.number > judged));
    await judgeWindow().catch((error: unknown) => guard.note('judging the traffic', error));
    judged = number;
    if (tally.kinds() > kinds) announce();
  };
  const turn = async () => {
    await pass();
    [before, now, bytes] = [now, [], 0];
    tally.forgetBefore(before[0]?.exchange.number ?? number);
  };
  const take = async (recorded: RecordedExchange) => {
    const url = URL.parse(recorded.request.url);
    const path = url ? toPathBelow(baseUrl, url) : undefined;
    if (path === undefined) {
      const { origin, pathname } = new URL(baseUrl);
      totals.leaveOut(url?.origin === origin ? `outside ${pathname}` : 'to another address');
      return;
    }
    number += 1;
    const read = await toCall(recorded, path, number, {
      ...{ document, bodies, baseUrl, keys },
      read: readBody,
    });
    const call = { ...read, exchange: hangs.see(read.exchange) };
    const { credential, exchange } = call;
    const isLetIn = asksForKey(exchange.case.operation) && (exchange.response?.status ?? 400) < 300;
    if (credential.form === 'token' && isLetIn) keys.prove(credential.token);
    memory.note(call);
    totals.note(call.exchange);
    now.push(call);
    bytes += (call.exchange.response?.size ?? 0) + String(call.exchange.request.body ?? '').length;
    onProgress(number - judged);
    if (now.length >= maxExchanges || bytes >= maxBytes) await turn();
  };
  const inTurn = (work: () => Promise<void> | void): Promise<void> => {
    queue = queue.then(work).catch((error: unknown) => guard.note('reading an exchange', error));
    return queue;
  };
  return {
    add: (recorded) => inTurn(() => take(recorded)),
    leaveOut: totals.leaveOut,
    judgeNow: () => inTurn(pass),
    async report() {
      await inTurn(pass);
      return toTrafficReport(parts, settings);
    },
    keyUse: keys.use,
    close: () => inTurn(() => {}),
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Api } from '../../openapi/index.ts';
import { asksForKey } from '../../openapi/model/key-places.ts';
import { checks as allChecks } from '../checks/index.ts';
import { toApplicable } from '../clauses/applicable.ts';
import { judge } from '../judging/judge.ts';
import type { Finding, Report } from '../report/events.ts';
import { type Exchange, isAnswered, valuesOf } from '../transcript/exchange.ts';
import { findOperation } from '../transcript/recognize.ts';
import { type Transcript, traffic } from '../transcript/transcript.ts';
import {
  type Arrival,
  type DescribedWebhook,
  describeWebhooks,
  recognize,
} from '../transcript/webhooks.ts';
import { clientRemarks } from './client-remarks.ts';
import { keyFieldsOf } from './credentials.ts';
import { createKeyBook, type GivenKey } from './key-book.ts';
import type { RecordedExchange } from './read-outcome.ts';
import { createMemory, type Memory, settle } from './settle.ts';
import { Tally } from './tally.ts';
import { type Call, type ToCallOptions, toCall, toPathBelow } from './to-call.ts';
import { type TrafficParts, type TrafficSettings, toTrafficReport } from './to-report.ts';
import { createTotals, toSilences } from './totals.ts';

export type TrafficJudgeOptions = TrafficSettings & {
  document: Api;
  /** The base URL of the target; calls of other addresses are counted and left out. */
  baseUrl: string;
  /** Keys whose plan is known, or that are known to be valid. */
  keys?: readonly GivenKey[];
  /** Whether a call may have the name of a key in its place, as in a recording of ours. */
  takesKeyNames?: boolean;
  /** The secret that signs webhooks (Standard Webhooks), where it is known. */
  webhookSecret?: string;
  /** Called once for each new finding. */
  onFinding?: (finding: Finding) => void;
};

/**
 * The exchanges of a window, which are judged together with those of the one before, and the bytes of
 * their bodies; parsed, these take several times as much.
 */
const maxExchanges = 1000;
const maxBytes = 8 * 1024 * 1024;

/**
 * Judges the traffic of others by the checks of the suite, in bounded memory: the one way from
 * exchanges to findings, while they pass and from a recording. The same exchanges in the same order
 * give the same report.
 */
export class TrafficJudge {
  readonly #options: TrafficJudgeOptions;
  readonly #parts: TrafficParts;
  readonly #fields: ToCallOptions['fields'];
  readonly #memory: Memory;
  readonly #withHang = createHangWatch();
  readonly #announced = new Set<string>();
  readonly #described: readonly DescribedWebhook[];
  /** The webhooks of this window. */
  #arrivals: Arrival[] = [];
  #before: readonly Call[] = [];
  #now: Call[] = [];
  #bytes = 0;
  /** How many exchanges there were, and how many of them were judged. */
  #number = 0;
  #judged = 0;
  #queue = Promise.resolve();

  /** Throws a DocumentError for a schema that cannot be compiled. */
  constructor(options: TrafficJudgeOptions) {
    const { document, baseUrl, keys = [], takesKeyNames = false } = options;
    this.#options = options;
    this.#fields = keyFieldsOf(document);
    this.#memory = createMemory(document);
    this.#described = describeWebhooks(document);
    this.#parts = {
      ...toApplicable(document, allChecks),
      document,
      target: { name: 'target', url: baseUrl },
      keys: createKeyBook(keys, { takesNames: takesKeyNames }),
      tally: new Tally(),
      totals: createTotals(document),
      silences: [],
    };
  }

  /**
   * Adds an exchange, in the order in which they ended. Resolves once it may be forgotten; whoever
   * reads a file waits for that, so that no more is read than can be judged.
   */
  add(recorded: RecordedExchange): Promise<void> {
    return this.#inTurn(() => this.#take(recorded));
  }

  /**
   * Counts an entry of a recording that is not judged; `isMissed` says whether it may have been a call
   * of the target.
   */
  leaveOut(reason: string, options?: { isMissed: boolean }): void {
    this.#parts.totals.leaveOut(reason, options);
  }

  /** Judges what was added and not judged yet, so that findings show before a window is full. */
  judgeNow(): Promise<void> {
    return this.#inTurn(() => this.#pass());
  }

  /** Returns the report on all exchanges so far. */
  async report(): Promise<Report> {
    await this.judgeNow();
    if (this.#number === 0) this.#parts.silences = toSilences(this.#toTranscript());
    return toTrafficReport(this.#parts, this.#options);
  }

  /** The names of the keys that were given and that no call had so far. */
  unusedKeys(): string[] {
    return this.#parts.keys.unused();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const { tally } = this.#parts;
    this.#queue = this.#queue
      .then(work)
      .catch((error: unknown) => tally.note('reading an exchange', error));
    return this.#queue;
  }

  async #take(recorded: RecordedExchange): Promise<void> {
    const { document, baseUrl } = this.#options;
    if (recorded.isWebhook) return this.#takeWebhook(recorded);
    const { keys, totals } = this.#parts;
    const url = URL.parse(recorded.request.url);
    const path = url ? toPathBelow(baseUrl, url) : undefined;
    if (path === undefined) {
      const { origin, pathname } = new URL(baseUrl);
      totals.leaveOut(url?.origin === origin ? `outside ${pathname}` : 'to another address');
      return;
    }
    const { method, headers } = recorded.request;
    if (!findOperation(document, { method, path }).operation && isForPage(headers))
      return totals.leaveOut('for pages and their parts');
    this.#number += 1;
    const read = await toCall(recorded, path, this.#number, {
      document,
      keys,
      fields: this.#fields,
    });
    const call = { ...read, exchange: this.#withHang(read.exchange) };
    const { credential, exchange } = call;
    const isLetIn = asksForKey(exchange.case.operation) && (exchange.response?.status ?? 400) < 300;
    if (credential.form === 'token' && isLetIn) keys.prove(credential.token);
    this.#memory.note(call);
    totals.note(exchange);
    this.#now.push(call);
    this.#bytes += (exchange.response?.size ?? 0) + String(exchange.request.body ?? '').length;
    if (this.#now.length >= maxExchanges || this.#bytes >= maxBytes) await this.#turn();
  }

  async #takeWebhook({ request, response, sentAt }: RecordedExchange): Promise<void> {
    const { method, url, headers, body } = request;
    const { bytes = new Uint8Array(), isCut } = body ?? {};
    const path = url.slice(new URL(url).origin.length);
    const status = response?.status ?? 0;
    const received = { method, url: path, headers, body: bytes, at: sentAt, status };
    const arrival = isCut ? '' : recognize(received, this.#described, this.#number + 1);
    if (typeof arrival === 'string')
      return this.#parts.totals.leaveOut('webhooks that the document does not describe');
    this.#number += 1;
    this.#arrivals.push(arrival);
    this.#bytes += bytes.length;
    if (this.#arrivals.length >= maxExchanges || this.#bytes >= maxBytes) await this.#turn();
  }

  /** Begins another window. */
  async #turn(): Promise<void> {
    await this.#pass();
    [this.#before, this.#now, this.#bytes] = [this.#now, [], 0];
    this.#arrivals = [];
    this.#parts.tally.forgetBefore(this.#before[0]?.exchange.number ?? this.#number);
  }

  async #pass(): Promise<void> {
    if (this.#judged === this.#number) return;
    const { tally } = this.#parts;
    const kinds = tally.kinds();
    await this.#judgeWindow().catch((error: unknown) => tally.note('judging the traffic', error));
    this.#judged = this.#number;
    if (tally.kinds() > kinds) this.#announce();
  }

  async #judgeWindow(): Promise<void> {
    const { checks, tally } = this.#parts;
    const transcript = this.#toTranscript();
    this.#parts.silences = toSilences(transcript);
    for (const check of [...checks, clientRemarks]) {
      tally.add(judge(transcript, [check], { onHold: (...held) => tally.hold(...held) }));
      // All of them at once would hold up whatever else the process does.
      await nextTurn();
    }
  }

  #toTranscript(): Transcript {
    const { document, target, keys } = this.#parts;
    const calls = [...this.#before, ...this.#now];
    return {
      document,
      target,
      keys: keys.keys(),
      refusedKeys: [],
      trials: [],
      exchanges: settle(calls, { document, memory: this.#memory }),
      skipped: [],
      webhooks: {
        arrivals: this.#arrivals,
        unjudged: [],
        missing: [],
        secret: this.#options.webhookSecret,
      },
      observer: { ...traffic, hidesValues: this.#options.takesKeyNames === true },
    };
  }

  /** Tells of the kinds of finding that were not told of. */
  #announce(): void {
    const { onFinding } = this.#options;
    if (!onFinding) return;
    for (const finding of toTrafficReport(this.#parts, this.#options).findings) {
      const own = [finding, ...finding.related].map(
        ({ check, message }) => `${check} ${message.replace(/\d+/g, '#')}`,
      );
      const isNew = !this.#announced.has(own[0] as string);
      for (const one of own) this.#announced.add(one);
      try {
        if (isNew) onFinding(finding);
      } catch (error) {
        this.#parts.tally.note('telling of a finding', error);
      }
    }
  }
}

/** Whether a browser asked by itself, for a page or a part of one, and not code for data. */
function isForPage(headers: RecordedExchange['request']['headers']): boolean {
  const [purpose] = valuesOf(headers, 'Sec-Fetch-Dest');
  if (purpose !== undefined) return purpose !== 'empty';
  return valuesOf(headers, 'Accept').some((types) => /^text\/html\b/i.test(types));
}

/** The failure message of a call whose client sent the whole request and left. */
const clientLeft = 'the client left before an answer';

/** No client is called impatient that waited this long, in milliseconds. */
const minWait = 4000;

/** How much longer it must have waited than the longest of so many other calls took. */
const minRatio = 10;
const minOthers = 5;

/**
 * Separates hanging targets from impatient clients. Returns each exchange in the order of its end,
 * with a timeout if the target hung until the client left.
 */
function createHangWatch(): (exchange: Exchange) => Exchange {
  const answered = new Map<string, { count: number; longest: number }>();
  return (exchange) => {
    const { response: _, failure, ...sent } = exchange;
    const { id } = sent.case.operation ?? {};
    if (id === undefined) return exchange;
    const took = sent.endedAt - sent.sentAt;
    const { count, longest } = answered.get(id) ?? { count: 0, longest: 0 };
    if (isAnswered(exchange))
      answered.set(id, { count: count + 1, longest: Math.max(longest, took) });
    const isHang = took >= minWait && count >= minOthers && took >= longest * minRatio;
    if (failure?.message !== clientLeft || !isHang) return exchange;
    const message = `no answer within ${Math.floor(took / 1000)} s, after which the client left`;
    return { ...sent, failure: { kind: 'timeout', message } };
  };
}

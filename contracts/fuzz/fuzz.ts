import { count } from '../../common/cli/count.ts';
import type { Session } from '../run/session.ts';
import { deleteMade, tidyUp } from '../run/tidy-up.ts';
import type { Turn } from '../run/turn.ts';
import type { Exchange } from '../transcript/exchange.ts';
import { ownIdOf } from '../transcript/made.ts';
import { toSkipText } from '../transcript/skip-reasons.ts';
import type { FuzzCause, FuzzResult } from '../transcript/transcript.ts';
import type { FastCheck } from './arbitraries.ts';
import { type PlayedStep, Player, renumbered, type Step } from './player.ts';
import { allSequences, toSequence } from './sequences.ts';
import { shrink } from './shrink.ts';
import { findSubjects, leftOutOf, plainInput, type Subject } from './subject.ts';
import { findSymptom, type Symptom } from './symptoms.ts';

export type FuzzOptions = {
  seed: number;
  /** How long inputs are sent, in milliseconds, and how many requests that may take. */
  milliseconds: number;
  maxRequests: number;
  onStage: (stage: string) => void;
};

/** The findings of fuzzing on a target, and its exchanges, which no check of a whole run is about. */
export type FuzzRun = {
  fuzzing: FuzzResult;
  exchanges: ReadonlySet<Exchange>;
  /** The milliseconds of its time that were left when it had no request left. */
  unused: number;
};

/** How many items are made before these are deleted, and how many of a collection that cannot delete any. */
const [maxKept, maxUndeletable] = [20, 30];

/** How many sequences may be what a plain call fails after. */
const maxRecent = 25;

/** How many smaller sequences are tried for a call that hangs: each may take the whole timeout. */
const maxHangTries = 8;

/** How many calls of an operation may hang before it is called no more. */
const maxHangs = 2;

/** Beyond its time, a run may still shrink what it found, in milliseconds. */
const timeToShrink = 15_000;

/**
 * Calls operations with unexpected inputs, on items that it makes for it, and reduces each
 * failure to the shortest sequence that shows it. Deletes what it made.
 */
export async function fuzz(turn: Turn, options: FuzzOptions): Promise<FuzzRun> {
  const { session } = turn;
  const { exchanges, skipped } = session.transcript;
  const stays = session.options.writes && !session.isTemporary;
  if (stays) await tidyUp(turn);
  const [begun, left] = [exchanges.length, skipped.length];
  // A limit that the user gives is one for both.
  Object.assign(session.options, {
    maxRequests: begun + options.maxRequests,
    deadline: Date.now() + options.milliseconds + timeToShrink,
  });
  const fuzzer = new Fuzzer(session, await import('fast-check'), options);
  try {
    await fuzzer.run();
  } finally {
    if (stays) await tidyUp(turn);
  }
  // What ownership forbids is no gap of a run.
  skipped.length = left;
  const { unused } = fuzzer;
  return { fuzzing: fuzzer.result(), unused, exchanges: new Set(exchanges.slice(begun)) };
}

/** A cause, and whether plain calls fail from then on, too. */
type Entry = { cause: FuzzCause; isLasting: boolean };

type Proof = { played: readonly PlayedStep[]; symptom: Symptom };

/** The shortest sequence that shows a symptom. */
type Minimum = { steps: readonly Step[]; shown: Proof; isLasting: boolean };

class Fuzzer {
  readonly #session: Session;
  readonly #fc: FastCheck;
  readonly #options: FuzzOptions;
  readonly #player: Player;
  readonly #subjects: readonly Subject[];
  readonly #until: number;
  readonly #causes = new Map<string, Entry>();
  readonly #plainly = new Set<string>();
  readonly #refusesTwice = new Set<string>();
  readonly #hangs = new Map<Subject, number>();
  readonly #made = new Map<Subject, number>();
  readonly #afterDeletion = new Set<number>();
  readonly #atOnce = new Set<number>();
  /** The last sequences that changed something. */
  readonly #recent: (readonly Step[])[] = [];
  #toDelete: Exchange[] = [];
  /** Resolves once nothing is done alone. */
  #busy: Promise<unknown> = Promise.resolve();
  #stopped: string | undefined;
  unused = 0;

  constructor(session: Session, fc: FastCheck, options: FuzzOptions) {
    const { choice, transcript, refusals } = session;
    this.#session = session;
    this.#fc = fc;
    this.#options = options;
    this.#player = new Player(session);
    this.#until = Date.now() + options.milliseconds;
    this.#subjects = findSubjects(transcript.document, {
      writes: session.options.writes,
      isChosen: choice.isChosen,
      lessons: refusals.all(),
    });
  }

  async run(): Promise<void> {
    const { document } = this.#session.transcript;
    const made = { fc: this.#fc, document, seed: this.#options.seed };
    const sequences = allSequences(made, this.#subjects);
    const worker = async () => {
      for (const steps of sequences) {
        if (this.#isOver()) return;
        await this.#explore(steps);
      }
    };
    // A plain call of each comes first: what it says decides what others mean.
    for (const one of this.#subjects) await this.#tryPlainly(one);
    await Promise.all(Array.from({ length: this.#session.options.concurrency }, worker));
  }

  result(): FuzzResult {
    return {
      causes: [...this.#causes.values()].map(({ cause }) => cause),
      afterDeletion: this.#afterDeletion,
      atOnce: this.#atOnce,
      leftOut: leftOutOf(this.#subjects),
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
    };
  }

  #isOver(): boolean {
    if (Date.now() >= this.#until) return true;
    const isShort = this.#session.isShortOfCalls();
    const reason =
      this.#session.stopped() ?? (isShort ? { code: 'quota-short' as const } : undefined);
    if (!reason) return false;
    if (reason.code === 'max-requests') this.unused ||= this.#until - Date.now();
    else this.#stopped ??= toSkipText(reason);
    return true;
  }

  async #tryPlainly(subject: Subject): Promise<void> {
    const steps = toSequence(this.#subjects, subject, plainInput);
    if (!steps || this.#isOver()) return;
    const played = await this.#explore(steps);
    const last = played?.at(-1)?.exchange;
    if (last?.response && last.response.status < 300) this.#plainly.add(subject.operation.id);
  }

  /** Sends a sequence, and keeps what is wrong with its answers. */
  async #explore(steps: readonly Step[]): Promise<PlayedStep[] | undefined> {
    await this.#busy;
    if (steps.some(({ subject }) => this.#isDone(subject))) return undefined;
    const deletes = steps.some(({ subject }) => subject.operation.kind === 'delete');
    const played = await this.#play(steps, !deletes);
    if (!played) return undefined;
    const symptom = this.#symptomOf(played);
    if (symptom) await this.#keep(played, symptom);
    else if (played.some(isDone)) this.#remember(steps);
    return played;
  }

  /** Remembers a sequence that changed something: later calls may fail for it. */
  #remember(steps: readonly Step[]): void {
    if (this.#recent.length >= maxRecent) this.#recent.shift();
    this.#recent.push(steps);
  }

  /** Whether an operation is called no more: its calls hang, or what it makes cannot be deleted. */
  #isDone(subject: Subject): boolean {
    const { delete: remove } = subject.resource?.operations ?? {};
    const stays = subject.does === 'create' && !remove && !this.#session.isTemporary;
    const isFull = stays && (this.#made.get(subject) ?? 0) >= maxUndeletable;
    return isFull || (this.#hangs.get(subject) ?? 0) >= maxHangs;
  }

  async #play(
    steps: readonly Step[],
    isShared: boolean,
    waits = false,
  ): Promise<PlayedStep[] | undefined> {
    const played = await this.#player.play(steps, { isShared, waits });
    for (const { step, exchange } of played ?? []) this.#learn(step, exchange, played ?? []);
    if (this.#toDelete.length >= maxKept) {
      const creates = this.#toDelete;
      this.#toDelete = [];
      await deleteMade(this.#session, creates);
    }
    return played;
  }

  #learn(step: Step, exchange: Exchange, played: readonly PlayedStep[]): void {
    const { subject, bodyOf, isAtOnce } = step;
    const { operation, does } = subject;
    const { number, response } = exchange;
    if (isAtOnce) this.#atOnce.add(number);
    const isAfter = played.some(
      ({ step: other, exchange: { number: before } }) =>
        other.subject.operation.kind === 'delete' && before < number,
    );
    if (isAfter) this.#afterDeletion.add(number);
    const isRepeated = does === 'create' && bodyOf !== undefined && !isAfter;
    if (isRepeated && response && response.status >= 400) this.#refusesTwice.add(operation.id);
    if (does !== 'create' || !response || response.status >= 300) return;
    this.#made.set(subject, (this.#made.get(subject) ?? 0) + 1);
    const isDisposable = !this.#session.isTemporary && ownIdOf(exchange) !== undefined;
    const isKept = this.#player.isShared(exchange) || this.#toDelete.includes(exchange);
    if (isDisposable && !isKept) this.#toDelete.push(exchange);
  }

  #symptomOf(played: readonly PlayedStep[]): Symptom | undefined {
    const known = {
      document: this.#session.transcript.document,
      hasKey: this.#session.keys.budgets.some(({ key }) => key.secret !== ''),
      plainly: this.#plainly,
      refusesTwice: this.#refusesTwice,
    };
    return findSymptom(known, played);
  }

  /** Counts what is known already, and finds the shortest sequence for what is new. */
  async #keep(played: readonly PlayedStep[], symptom: Symptom): Promise<void> {
    const key = `${symptom.check} ${symptom.key}`;
    const known = this.#causes.get(key);
    if (known) {
      this.#countHang(played, symptom);
      known.cause = { ...known.cause, count: known.cause.count + 1 };
      if (known.isLasting) await this.#alone(() => this.#clean());
      return;
    }
    const entry: Entry = { cause: toCause(played, symptom), isLasting: false };
    const { group } = symptom;
    const isOfKnown = [...this.#causes.values()].some(
      ({ cause }) => group && cause.group === group,
    );
    this.#causes.set(key, entry);
    this.#tell();
    if (isOfKnown) return;
    const steps = played.slice(0, symptom.at + 1).map(({ step }) => step);
    const found = await this.#alone(() => this.#findSmallest(steps, symptom));
    // What one answer alone shows may be the effect of another call, but a failure is one in any case.
    if (!found && (symptom.check !== 'no-crash' || symptom.mayPass)) {
      this.#causes.delete(key);
      return;
    }
    this.#countHang(played, symptom);
    const isShown = found && found.shown.played.length > 0;
    const smallest = isShown ? toCause(found.shown.played, found.shown.symptom) : entry.cause;
    entry.isLasting = found?.isLasting === true;
    const when = found
      ? found.isLasting && found.steps.length > 1
        ? `, to a plain call after ${inputsIn(found.steps)}`
        : ''
      : ' (once: not when it was sent again)';
    entry.cause = { ...smallest, message: smallest.message + when, count: entry.cause.count };
  }

  /** Counts a hang, which says nothing of other calls. */
  #countHang(played: readonly PlayedStep[], { check, at }: Symptom): void {
    const subject = played[at]?.step.subject;
    if (check !== 'no-hang' || !subject) return;
    this.#hangs.set(subject, (this.#hangs.get(subject) ?? 0) + 1);
    this.#session.stops = 0;
  }

  /** Finds the shortest sequence that shows a symptom; undefined if none does that is sent again. */
  async #findSmallest(steps: readonly Step[], symptom: Symptom): Promise<Minimum | undefined> {
    const isHang = symptom.check === 'no-hang';
    let isPlainAnswered = false;
    const shows = async (smaller: readonly Step[]) => {
      if (this.#session.stopped()) return undefined;
      // A deployment may show for a moment what is deleted.
      const waits = symptom.check === 'use-after-delete';
      const again = await this.#play(smaller, false, waits);
      if (isPlainAnswered) this.#session.stops = 0;
      const shown = again && this.#symptomOf(again);
      const isSame = shown?.check === symptom.check && shown.key === symptom.key;
      return again && isSame ? { played: again, symptom: shown } : undefined;
    };
    const { subject } = steps[symptom.at] as Step;
    const plain = toSequence(this.#subjects, subject, plainInput);
    const isPlain = this.#plainly.has(subject.operation.id);
    if (plain && (isPlain || isHang) && (await shows(plain))) {
      if (symptom.mayPass) return undefined;
      const afresh = async (smaller: readonly Step[]) => {
        await this.#clean();
        const shown = await shows(smaller);
        const last = smaller.findLastIndex(({ subject: one }) => one === subject);
        return shown?.symptom.at === last && isPlainAt(smaller, last) ? shown : undefined;
      };
      for (const recent of this.#recent.toReversed()) {
        const joined = [
          ...recent,
          ...plain.map((step) => renumbered(step, (at) => at + recent.length)),
        ];
        const shown = await afresh(joined);
        if (shown) return { ...(await shrink(joined, shown, afresh)), isLasting: true };
      }
      return { steps, shown: { played: [], symptom }, isLasting: true };
    }
    isPlainAnswered = isHang;
    // A sequence on an item that others changed too is sent again on one of its own.
    const again = await shows(steps);
    // A busy deployment may be so again by chance.
    for (let times = 0; again && symptom.mayPass && !isHang && times < 2; times++)
      if (!(await shows(steps))) return undefined;
    const tries = isHang ? maxHangTries : undefined;
    return again && { ...(await shrink(steps, again, shows, tries)), isLasting: false };
  }

  /** Does something while no other sequence is begun. */
  async #alone<Value>(act: () => Promise<Value>): Promise<Value> {
    const before = this.#busy;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#busy = promise;
    await before;
    return act().finally(resolve);
  }

  /** Deletes all that was made, so that nothing of it has an effect on later calls. */
  async #clean(): Promise<void> {
    const creates = [...this.#toDelete, ...this.#player.release()];
    this.#toDelete = [];
    if (!this.#session.isTemporary) await deleteMade(this.#session, creates);
  }

  #tell(): void {
    this.#options.onStage(`fuzzing, ${count(this.#causes.size, 'finding')}`);
  }
}

/** Whether a call changed something. */
function isDone({ step: { subject }, exchange: { response } }: PlayedStep): boolean {
  return subject.does !== 'read' && (response?.status ?? 500) < 300;
}

/** Whether a step of a sequence is a plain call. */
function isPlainAt(steps: readonly Step[], at: number): boolean {
  return steps[at]?.input.changes.length === 0;
}

/** The inputs of a sequence in words, without those of plain calls. */
function inputsIn(steps: readonly Step[]): string {
  const special = steps.filter(({ input }) => input.changes.length > 0);
  return special
    .map(({ subject, input }) => `${subject.operation.id} (${input.what})`)
    .join(' and ');
}

/** A cause as the sequence shows it that leads to its symptom. */
function toCause(
  played: readonly PlayedStep[],
  { at, isStated = true, ...symptom }: Symptom,
): FuzzCause {
  const sequence = played.slice(0, at + 1).map(({ exchange }) => exchange);
  return {
    ...symptom,
    isStated,
    sequence: sequence as unknown as FuzzCause['sequence'],
    count: 1,
  };
}

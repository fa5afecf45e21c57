import { defined } from '../../common/defined.ts';
import { stringifyExact } from '../../common/json.ts';
import { type ByteText, parseExact, toByteText, toText } from '../json/exact-json.ts';
import type { Admit } from '../state/store.ts';
import { type Delay, maxDelay, sampleDelay } from './delay.ts';
import { type Random, Sequence } from './random.ts';

/** The ways in which a connection can fail instead of an answer, by their names in WireMock. */
export const faultNames = [
  'EMPTY_RESPONSE',
  'MALFORMED_RESPONSE_CHUNK',
  'RANDOM_DATA_THEN_CLOSE',
  'CONNECTION_RESET_BY_PEER',
] as const;

export type FaultName = (typeof faultNames)[number];

/**
 * A fault and when it fires. A rule looks at the calls of its operation (operationId) and its key
 * (name), or at all calls. It fires at each of them, at every n-th one, or with a probability, at
 * most `times` times. A rule with only a delay delays the normal answer.
 */
export type FaultRule = {
  id: string;
  operation?: string;
  key?: string;
  every?: number;
  probability?: number;
  /**
   * The seed of the probability and the delay; the same seed gives the same sequence. The default
   * comes from the id.
   */
  seed?: number;
  times?: number;
  status?: number;
  /**
   * Headers of the answer, replacing its own of the same names; a list for a header that is sent
   * several times.
   */
  headers?: FaultHeaders;
  /**
   * The content of the answer instead of its own, as JSON text with one character for each byte: a
   * parsed value takes many times its memory.
   */
  body?: string;
  fault?: FaultName;
  delay?: Delay;
};

/** Headers by their names; a list for one that is sent several times. */
export type FaultHeaders = Readonly<Record<string, string | readonly string[]>>;

/** A rule that may have no id yet. */
export type NewFaultRule = Omit<FaultRule, 'id'> & { id?: string };

/** A rule, how many calls it looked at, and for how many of them it decided the answer. */
export type CountedRule = FaultRule & { calls: number; hits: number };

/** Holds the effect of a rule on a call; `delay` is in milliseconds, and `random` draws bytes. */
export type Hit = { rule: string; delay?: number; random: Random } & Pick<
  FaultRule,
  'status' | 'headers' | 'body' | 'fault'
>;

export interface FaultRules {
  /** Holds its rules at any time: each request looks whether there are any. */
  readonly rules: readonly { readonly rule: CountedRule }[];
  list(): CountedRule[];
  /** The rule of an id, or undefined. */
  get(id: string): CountedRule | undefined;
  /**
   * Replaces the rule with the same id and restarts its counts and sequence, or else appends the
   * rule; one without an id gets one.
   */
  put(rule: NewFaultRule): CountedRule;
  /** Replaces all rules by these, whose ids differ. */
  replace(rules: readonly NewFaultRule[]): void;
  /** Removes a rule, and returns whether there was one with this id. */
  remove(id: string): boolean;
  clear(): void;
  /** Returns the effect of the first rule that fires; a promise if other processes count too. */
  decide(call: FaultCall): Hit | undefined | Promise<Hit | undefined>;
  /** The rules with their counts and the positions of their sequences. */
  save(): FaultsState;
  load(state: FaultsState): void;
}

/** The rules of a sandbox in the memory of this process, which need not wait for any other. */
export interface MemoryFaultRules extends FaultRules {
  decide(call: FaultCall): Hit | undefined;
  /** The rules that look at a call, in their order; nothing is counted. */
  lookingAt(call: FaultCall): SavedRule[];
}

/** An operation by its id, and the name of the key that calls it. */
export type FaultCall = { operation: string; key?: string };

/** Saves the rules in order, and the number of rules whose ids are counted. */
export type FaultsState = { named: number; rules: readonly SavedRule[] };

/** A rule, and the positions of its sequences: of when it fires, and of delays and bytes. */
export type SavedRule = { rule: CountedRule; fires: number; draws: number };

type State = { rule: CountedRule; fires: Sequence; draws: Sequence };

/** Counts the rules whose ids are counted. */
type RulesState = { named: number; readonly seed: () => number };

/**
 * Stores the rules of a sandbox; `seed` and the id of a rule make the seed of one without its own.
 */
export function createFaultRules({
  seed,
  admit,
}: {
  seed: () => number;
  /** Throws OutOfRoomError where there is no room for so many bytes. */
  admit?: Admit | undefined;
}): MemoryFaultRules {
  const states: State[] = [];
  const held: RulesState = { named: 0, seed };
  const find = (id: string) => states.find(({ rule }) => rule.id === id);
  const holdAll = (all: readonly State[]) => {
    states.length = 0;
    for (const one of all) states.push(one);
  };
  return {
    rules: states,
    list: () => states.map(({ rule }) => ({ ...rule })),
    get(id) {
      const found = find(id);
      return found && { ...found.rule };
    },
    put(given) {
      const rules = states.map(({ rule }) => rule);
      admit?.(bytesOfRule(given));
      const state = toState(held, given, rules);
      const at = rules.findIndex(({ id }) => id === state.rule.id);
      states[at === -1 ? states.length : at] = state;
      return { ...state.rule };
    },
    replace(rules) {
      admit?.(rules.reduce((sum, rule) => sum + bytesOfRule(rule), 0));
      held.named = 0;
      holdAll(rules.map((rule) => toState(held, rule, rules)));
    },
    remove(id) {
      const found = find(id);
      if (!found) return false;
      states.splice(states.indexOf(found), 1);
      return true;
    },
    clear() {
      holdAll([]);
      held.named = 0;
    },
    decide: (call) => decide(states, call),
    lookingAt: (call) => states.filter(({ rule }) => matches(rule, call)).map(toSaved),
    save: () => ({ named: held.named, rules: states.map(toSaved) }),
    load({ named, rules }) {
      held.named = named;
      holdAll(rules.map(fromSaved));
    },
  };
}

/** The memory of a rule, in bytes. */
export function bytesOfRule({ headers, body = '' }: NewFaultRule): number {
  return 1024 + 2 * (JSON.stringify(headers ?? {}).length + body.length);
}

/** The state of a rule that has counted nothing. */
function toState(held: RulesState, given: NewFaultRule, taken: readonly { id?: string }[]): State {
  const id = given.id ?? freeId(held, taken);
  const rule: CountedRule = { ...given, id, calls: 0, hits: 0 };
  const own = rule.seed ?? `${held.seed()}: ${id}`;
  return {
    rule,
    fires: new Sequence(own),
    draws: new Sequence(`${own}: delays and bytes`),
  };
}

function freeId(held: RulesState, taken: readonly { id?: string }[]): string {
  let id: string;
  do id = `fault-${++held.named}`;
  while (taken.some((rule) => rule.id === id));
  return id;
}

function decide(states: readonly State[], call: FaultCall): Hit | undefined {
  let first: State | undefined;
  // Each rule counts its calls and draws its numbers independently of the others, so that its
  // sequence is reproducible.
  for (const state of states) if (matches(state.rule, call) && fires(state)) first ??= state;
  if (!first) return undefined;
  first.rule.hits += 1;
  return toHit(first);
}

function fromSaved({ rule, fires, draws }: SavedRule): State {
  return {
    rule: { ...rule },
    fires: new Sequence(fires),
    draws: new Sequence(draws),
  };
}

function toSaved({ rule, fires, draws }: State): SavedRule {
  return { rule: { ...rule }, fires: fires.position, draws: draws.position };
}

function toHit({ rule, draws }: State): Hit {
  const random = () => draws.next();
  const { id, status, headers, body, fault, delay } = rule;
  return defined({
    rule: id,
    random,
    status,
    headers,
    body,
    fault,
    delay: delay && sampleDelay(delay, random),
  });
}

function matches({ operation, key }: FaultRule, call: FaultCall): boolean {
  return (
    (operation === undefined || operation === call.operation) &&
    (key === undefined || key === call.key)
  );
}

function fires({ rule, fires }: State): boolean {
  rule.calls += 1;
  const isTurn =
    rule.probability === undefined
      ? rule.every === undefined || rule.calls % rule.every === 0
      : fires.next() < rule.probability;
  return isTurn && (rule.times === undefined || rule.hits < rule.times);
}

/**
 * The stored form of the body of a fault: JSON text, because a parsed value takes many times its
 * memory.
 */
export function toFaultText(body: unknown): ByteText {
  return toByteText(stringifyExact(body));
}

/** The body of a fault as the client sent it. */
export function toFaultBody(text: string | undefined): unknown {
  return text === undefined ? undefined : parseExact(toText(text as ByteText));
}

/** The delay of all answers, in WireMock's names: milliseconds, and a distribution of them; both add up. */
export type LatencySettings = { fixedDelay: number | null; delayDistribution: Delay | null };

export interface Latency {
  /** Holds its settings at any time: each request looks whether any delay is switched on. */
  readonly settings: Readonly<LatencySettings>;
  /** Changes the given fields only; null switches one off. */
  change(settings: Partial<LatencySettings>): void;
  /** The delay of the next answer, in milliseconds. */
  next(): number;
  /** Switches all delays off, and restarts the sequence. */
  reset(): void;
  save(): LatencyState;
  load(state: LatencyState): void;
}

/** The settings, and the position of the sequence once it was begun. */
export type LatencyState = { settings: LatencySettings; position?: number };

const none: LatencySettings = { fixedDelay: null, delayDistribution: null };

/** The latency of a sandbox: none at first, and the same sequence for the same seed. */
export function createLatency({ seed }: { seed: () => number }): Latency {
  const settings = { ...none };
  let draws: Sequence | undefined;
  return {
    settings,
    change: (given) => void Object.assign(settings, given),
    next() {
      const { fixedDelay, delayDistribution } = settings;
      const sequence = (draws ??= new Sequence(`${seed()}: latency`));
      const drawn = delayDistribution ? sampleDelay(delayDistribution, () => sequence.next()) : 0;
      return Math.min(maxDelay, (fixedDelay ?? 0) + drawn);
    },
    reset() {
      Object.assign(settings, none);
      draws = undefined;
    },
    save: () => ({ settings: { ...settings }, ...(draws && { position: draws.position }) }),
    load(state) {
      Object.assign(settings, state.settings);
      draws = state.position === undefined ? undefined : new Sequence(state.position);
    },
  };
}

import { EVENT_ID, type Event, load, mergeTag, parseEvents, YAMLException } from 'js-yaml';
import { exactYaml } from '../../common/exact-yaml.ts';
import { stringifyExact } from '../../common/json.ts';
import { fromToken, toToken } from '../../common/json-pointer.ts';
import { maxDepth } from '../json/exact-json.ts';
import { maxDataLength } from './data-text.ts';

/**
 * Reports data that cannot be parsed: `at` is the place in the text, or `pointer` the place in the
 * value.
 */
export class DataSyntaxError extends Error {
  readonly at: number | undefined;
  readonly pointer: string | undefined;

  constructor(
    message: string,
    { at, pointer }: { at?: number | undefined; pointer?: string | undefined } = {},
  ) {
    super(message);
    this.at = at;
    this.pointer = pointer;
  }
}

/** A YAML text as JSON, integers exact. Throws {@link DataSyntaxError}. */
export function toJsonText(yaml: string): string {
  return toDataJson(parseYaml(yaml));
}

/** A value of code or YAML as JSON, bigints as integers. Throws {@link DataSyntaxError}. */
export function toDataJson(value: unknown): string {
  ensureJson(value);
  return stringifyExact(value) ?? 'null';
}

/** How many keys may be merged: as many as the texts of the largest files have. */
const maxMerged = 1_000_000;

/** YAML 1.2 with merge keys (`<<`), which files of items are often written with. */
const schema = exactYaml.withTags(mergeTag);

function parseYaml(text: string): unknown {
  try {
    return load(text, { schema, maxDepth, maxTotalMergeKeys: maxMerged });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    throw new DataSyntaxError(`is not valid YAML: ${reason}.`, mark && { at: mark.position });
  }
}

/**
 * Throws for what JSON cannot hold, and for what would be too long as JSON, since a value may hold
 * another one several times, or itself.
 */
function ensureJson(root: unknown): void {
  let left = maxDataLength;
  const names: string[] = [];
  const visit = (value: unknown): void => {
    left -= typeof value === 'string' ? value.length + 2 : 2;
    if (left < 0)
      throw new DataSyntaxError(
        `has too much in it: as JSON it would have more than ${maxDataLength.toLocaleString('en')} bytes.`,
      );
    if (typeof value === 'number' && !Number.isFinite(value)) throw notInJson(value, names);
    if (typeof value !== 'object' || value === null) return;
    if (names.length === maxDepth)
      throw new DataSyntaxError(
        `is nested too deeply: at most ${maxDepth} levels are allowed, and no value may contain itself.`,
      );
    for (const [name, inner] of Object.entries(value)) {
      names.push(name);
      visit(inner);
      names.pop();
    }
  };
  visit(root);
}

function notInJson(value: number, names: readonly string[]): DataSyntaxError {
  const pointer = names.map((name) => `/${toToken(name)}`).join('');
  const problem = `"${pointer.slice(1)}" must be a number of JSON, but is ${value}.`;
  return new DataSyntaxError(problem, { pointer });
}

/** Pointers as a tree of their tokens. */
type WantedPlaces = { pointer?: string; inner: Map<string, WantedPlaces> };

/** Puts JSON pointers (RFC 6901) into a tree, so that one pass over a text finds all of them. */
function toWantedPlaces(pointers: Iterable<string>): WantedPlaces {
  const root: WantedPlaces = { inner: new Map() };
  for (const pointer of pointers) {
    let place = root;
    for (const token of pointer.split('/').slice(1).map(fromToken)) {
      let next = place.inner.get(token);
      if (!next) place.inner.set(token, (next = { inner: new Map() }));
      place = next;
    }
    place.pointer = pointer;
  }
  return root;
}

/** Notes a place for all that is wanted there or within, until what is within has its own. */
function notePlace(wanted: WantedPlaces, at: number, offsets: Map<string, number>): void {
  if (wanted.pointer !== undefined) offsets.set(wanted.pointer, at);
  for (const inner of wanted.inner.values()) notePlace(inner, at, offsets);
}

/** The longest text in which places are looked for: each value of it takes some memory. */
const maxLocated = 4 * 1024 * 1024;

/**
 * Returns the offsets of the values that pointers lead to, in a valid YAML (or JSON) text. A
 * pointer to a missing value gets the offset of the value that would hold it.
 */
export function locateInYaml(text: string, pointers: Iterable<string>): Map<string, number> {
  const offsets = new Map<string, number>();
  if (text.length > maxLocated) return offsets;
  const events = parseEvents(text, { maxDepth });
  let next = events.findIndex(({ type }) => type !== EVENT_ID.DOCUMENT);
  const take = () => events[next++] as Event;
  const isPast = () => next >= events.length || events[next]?.type === EVENT_ID.POP;
  /** Visits the value of the next event, and all that belongs to it; an empty one is `near`. */
  const visit = (wanted: WantedPlaces, near: number): void => {
    const event = take();
    const start = startOf(event);
    const at = start < 0 ? near : start;
    notePlace(wanted, at, offsets);
    if (event.type === EVENT_ID.SEQUENCE) {
      for (let index = 0; !isPast(); index++)
        visit(wanted.inner.get(String(index)) ?? unwanted, at);
      next += 1;
    } else if (event.type === EVENT_ID.MAPPING) {
      while (!isPast()) {
        const key = events[next] as Event;
        visit(unwanted, at);
        visit(wanted.inner.get(textOf(text, key)) ?? unwanted, Math.max(startOf(key), at));
      }
      next += 1;
    }
  };
  if (next !== -1) visit(toWantedPlaces(pointers), 0);
  return offsets;
}

const unwanted: WantedPlaces = { inner: new Map() };

function startOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart;
  return 'start' in event ? event.start : 0;
}

/** The name that a key stands for; one with escapes as it is written. */
function textOf(text: string, key: Event): string {
  return key.type === EVENT_ID.SCALAR ? text.slice(key.valueStart, key.valueEnd) : '';
}

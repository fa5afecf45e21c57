import { toInstant } from '../../common/instant.ts';
import { membersOf } from '../../common/json.ts';
import { lastWordOf } from '../../common/path-template.ts';
import { singular, toPlainName, wordsOf } from '../../common/words.ts';
import type { Operation, Parameter } from '../../openapi/index.ts';
import { isSecret } from '../cases/made-secrets.ts';
import type { Answer } from '../transcript/exchange.ts';
import { type Item, textOf, toSegment, withoutQuery } from '../transcript/items.ts';
import { parametersIn } from './item-paths.ts';

/** An object that an answer showed, the nouns for it, its own first, the path there, and its list. */
type ShownObject = { item: Item; nouns: readonly string[]; path: string; list: readonly Item[] };

/**
 * A path that is filled in up to a segment, and up to its last parameter, the last noun in it, and the
 * item that gave values.
 */
type BegunPath = { path: string; place: string; noun: string; from?: ShownObject };

/** How many items of each list are looked at, how deep, and how many in all. */
const [maxOfList, maxDepth, maxShown] = [5, 4, 2000];

/** How many values of a parameter are tried below one path. */
const maxValues = 3;

/**
 * Holds what answers of a target showed, as values for path parameters of others: the segments of
 * paths that were answered and of addresses in bodies, and members of items.
 */
export class ShownValues {
  readonly #basePath: string;
  readonly #shown: ShownObject[] = [];
  /** The segments below a path, by that path: those of paths that were answered come first. */
  readonly #below = new Map<string, Set<string>>();
  readonly #addresses = new Map<string, Set<string>>();
  /** The segments that parameters of a name had in paths that were answered, after what is before them. */
  readonly #named = new Map<string, { before: string; segment: string }[]>();
  readonly #given: (name: string) => unknown;

  /** `given` is the value that a setup has for parameters of a name. */
  constructor(targetUrl: string, given: (name: string) => unknown) {
    this.#basePath = withoutQuery(new URL(targetUrl).pathname);
    this.#given = given;
  }

  /** Learns from a successful answer. */
  learn({ request, response, case: { operation } }: Answer): void {
    const path = withoutQuery(request.path);
    const template = operation?.path ?? path;
    addSegments(this.#below, path, template.split('/'));
    for (const { name, path: whole } of parametersIn(template, path.split('/'))) {
      const [segment = '', ...before] = whole.split('/').reverse();
      const at = { before: before.reverse().join('/'), segment };
      this.#named.set(name, [...(this.#named.get(name) ?? []), at]);
    }
    const words = template.split('/').filter((word) => word !== '' && !word.includes('{'));
    // The versions of a prompt are prompt versions.
    const pairs = words.slice(1).map((word, index) => toNoun(words[index] ?? '') + toNoun(word));
    const nouns = [...words.map(toNoun), ...pairs].toReversed();
    this.#learnFrom(response.json, {
      nouns: [toNoun(words.at(-1) ?? ''), ...nouns],
      path,
      depth: 0,
    });
  }

  #learnFrom(value: unknown, at: { nouns: readonly string[]; path: string; depth: number }): void {
    const { nouns, path, depth } = at;
    if (depth > maxDepth || this.#shown.length >= maxShown) return;
    const rows = Array.isArray(value) ? value.slice(0, maxOfList) : [value];
    const list = rows.map(membersOf).filter((row) => row !== undefined);
    const texts =
      Array.isArray(value) && depth <= 1 ? rows.flatMap((row) => wordIn(row) ?? []) : [];
    for (const text of texts) addSegment(this.#addresses, path, text);
    for (const item of list) {
      this.#shown.push({ item, nouns, path, list });
      for (const [name, member] of Object.entries(item)) {
        if (typeof member === 'string') this.#learnAddress(member);
        // The list in an envelope holds what the path names.
        const isEnveloped = depth === 0 && Array.isArray(member);
        const inner = [...(isEnveloped ? nouns : []), toNoun(name)];
        this.#learnFrom(member, { nouns: inner, path, depth: depth + 1 });
      }
    }
  }

  #learnAddress(text: string): void {
    if (!/^(?:https?:\/)?\/\S+$/.test(text) || !URL.canParse(text, 'http://localhost')) return;
    const { pathname } = new URL(text, 'http://localhost');
    if (pathname.startsWith(`${this.#basePath}/`))
      addSegments(this.#addresses, withoutQuery(pathname.slice(this.#basePath.length)));
  }

  /**
   * Yields paths of an operation whose parameters have values that were shown, the likeliest first.
   * Values are encoded as segments.
   */
  pathsOf(operation: Operation): Generator<string> {
    return this.#fill(operation, operation.path.split('/').slice(1), {
      path: '',
      place: '',
      noun: '',
    });
  }

  *#fill(
    operation: Operation,
    [segment, ...rest]: readonly string[],
    begun: BegunPath,
  ): Generator<string> {
    const { path } = begun;
    if (segment === undefined) return yield path;
    const [placeholder, name] = /\{([^{}]+)\}/.exec(segment) ?? [];
    if (placeholder === undefined) {
      const next = { ...begun, path: `${path}/${segment}`, noun: toNoun(segment) };
      return yield* this.#fill(operation, rest, next);
    }
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    const tried = new Set<string>();
    for (const [value, from] of parameter ? this.#valuesOf(parameter, begun) : []) {
      if (tried.size === tried.add(value).size) continue;
      if (tried.size > maxValues) return;
      const filled = segment.replace(placeholder, () => value);
      yield* this.#fill(operation, rest, {
        ...begun,
        path: `${path}/${filled}`,
        place: `${path}/${filled}`,
        ...(from && { from }),
      });
    }
  }

  *#valuesOf(
    parameter: Parameter,
    { path, place, noun, from }: BegunPath,
  ): Generator<readonly [value: string, from?: ShownObject]> {
    // A token may be good for one call.
    if (isSecret(parameter.name, {})) return;
    const given = toSegment(this.#given(parameter.name));
    if (given !== undefined) yield from ? [given, from] : [given];
    for (const known of [this.#below, this.#addresses])
      for (const value of known.get(path) ?? []) yield from ? [value, from] : [value];
    const own = nounIn(parameter.name) || noun;
    const likely = [
      ...(from ? [from] : []),
      ...this.#shown.filter((one) => one.path === path),
      ...this.#shown.filter(({ nouns }) => nouns[0] === own),
      ...this.#shown.filter(({ nouns }) => nouns.includes(own)),
    ];
    // A list at the path names what is below it, and the owner of an item leads to that item.
    const isAt = (one: ShownObject) => (one === from ? path === place : one.path === path);
    for (const one of likely)
      for (const value of valuesIn(one, parameter, isAt(one) ? undefined : own)) yield [value, one];
    const isBelow = ({ before }: { before: string }) => `${before}/`.startsWith(`${place}/`);
    if (nounIn(parameter.name) !== '')
      for (const { segment } of this.#named.get(parameter.name)?.filter(isBelow) ?? [])
        yield from ? [segment, from] : [segment];
    // What is called `id` alone may be the id of anything.
    else if (identifying(parameter.name) > 1) return;
    for (const one of this.#shown) {
      const value = toSegment(memberCalled(one.item, parameter));
      if (value !== undefined) yield [value, one];
    }
  }
}

/** A text of one word, as a segment. */
function wordIn(value: unknown): string | undefined {
  return typeof value === 'string' && word.test(value) ? toSegment(value) : undefined;
}

const word = /^[^\s/]{1,200}$/;

function addSegment(below: Map<string, Set<string>>, before: string, segment: string): void {
  below.set(before, (below.get(before) ?? new Set()).add(segment));
}

/** Adds the segments of a path below what stands before them: all, or those that a template leaves open. */
function addSegments(
  below: Map<string, Set<string>>,
  path: string,
  template?: readonly string[],
): void {
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    const isOpen = template === undefined || template[index]?.includes('{');
    if (index === 0 || segment === '' || !isOpen) continue;
    const before = segments.slice(0, index).join('/');
    addSegment(below, before, segment);
  }
}

/**
 * Yields the member of an item that is called as a parameter, or those that identify the item if it has
 * a noun, or is at the path itself.
 */
function* valuesIn(
  { item, nouns, list }: ShownObject,
  parameter: Parameter,
  noun: string | undefined,
): Generator<string> {
  const named = toSegment(memberCalled(item, parameter));
  if (named !== undefined) yield named;
  if (named !== undefined || (noun !== undefined && !nouns.includes(noun))) return;
  const isUnique = (name: string) =>
    new Set(list.map((one) => textOf(one[name]))).size === list.length;
  const all = identifiersOf(item, parameter).filter(([name]) => isUnique(name));
  const known = all.filter(([name]) => identifying(name) > 0);
  // A commit has a hash alone.
  yield* (noun === undefined && known.length === 0 ? all : known).flatMap(
    ([, value]) => toSegment(value) ?? [],
  );
}

/** The value of the member that is called as a parameter; of an object, what identifies it. */
function memberCalled(item: Item, parameter: Parameter): unknown {
  const wanted = toPlainName(parameter.name);
  const [name = '', value] =
    Object.entries(item).find(([name]) => toPlainName(name) === wanted) ?? [];
  const inner = membersOf(value);
  if (inner) return identifiersOf(inner, parameter).find(([name]) => identifying(name) > 0)?.[1];
  return fits(parameter, value) && !isSecret(name, {}) ? value : undefined;
}

/** The members that may be in a path that names an item, the likeliest first. */
function identifiersOf(item: Item, parameter: Parameter): [name: string, value: unknown][] {
  // A parameter that is called as the item alone takes a name before an id.
  const order = identifying(parameter.name) > 1 ? 1 : -1;
  return Object.entries(item)
    .filter(([name, value]) => fits(parameter, value) && !isSecret(name, {}))
    .toSorted(([one], [other]) => order * (identifying(other) - identifying(one)));
}

/** How a member may identify an item by its name: 2 as an id, 1 as a name, 0 not. */
function identifying(name: string): 0 | 1 | 2 {
  const last = wordsOf(name).at(-1) ?? '';
  if (/^(?:id|u?uid|guid|slug|key|number|index)$/.test(last)) return 2;
  return /(?:name|login)$/.test(last) ? 1 : 0;
}

/** Whether a value may be that of a parameter: of its type, and one word. */
function fits({ schema }: Parameter, value: unknown): boolean {
  const text = textOf(value) ?? '';
  const types = [schema.type].flat();
  const isNumber = types.includes('integer') || types.includes('number');
  const isFree = typeof value !== 'boolean' && Number.isNaN(toInstant(text));
  return isFree && (isNumber ? /^\d+$/ : word).test(text);
}

/** The noun for what a word of a path, or the name of a member, names. */
function toNoun(word: string): string {
  return toPlainName(singular(lastWordOf(word)));
}

/** The noun in the name of a parameter: `pet` in `petId` and in `pet`, and none in `id`. */
function nounIn(name: string): string {
  const words = wordsOf(name);
  return toPlainName(singular((identifying(name) > 0 ? words.slice(0, -1) : words).join('')));
}

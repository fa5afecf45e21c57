import { defined } from '../common/defined.ts';
import { type Expression, parseExpression } from '../common/expression.ts';
import { isObject } from '../common/json.ts';

/** Adds to what the kind of an operation does, as `x-twin` says it. */
export type Rules = {
  /** Members of a new item that its body leaves out, by their names, with dots for inner ones. */
  values?: Members;
  /** Members of the item that it sets, whatever was sent. */
  sets?: Members;
  /** Members of the item that the path is below which it sets. */
  parent?: Members;
  /** When it is refused, in this order. */
  refuses?: readonly Refusal[];
  /** Other answers to errors of the mock, by their codes. */
  errors?: Readonly<Record<string, AnswerRule>>;
  /** The property by which a list is ordered unless asked otherwise. */
  order?: { property?: string; isDescending: boolean };
  /** An id as an example of those that it gives. */
  newId?: string;
  /** A time in the form of those in its answers. */
  times?: string;
  /** The status of its success. */
  status?: number;
  /** The body of its success, whose texts may have expressions; `{item}` is the item itself. */
  body?: unknown;
  /** Headers of its success. */
  headers?: Readonly<Record<string, string>>;
  /** The properties of new items that no two items have the same value of. */
  unique?: readonly string[];
  /** Parameters and headers that have no effect, whatever the document says. */
  ignores?: readonly string[];
  /** The values that members of the items of a list must have. */
  filters?: Members;
  /** Members of each item that its answers show, whatever is stored. */
  shows?: Members;
  /** Members that a deleted item has from then on; `false` if nothing shows it any more. */
  keeps?: Members | false;
  /** The collections that lose the items whose member is the id of the deleted item. */
  removes?: Readonly<Record<string, string>>;
  /** The bodies of items that are created at other paths, once it succeeded. */
  makes?: Readonly<Record<string, readonly object[]>>;
  /** Numbers of items that count those of other collections. */
  counts?: readonly Count[];
  /** Members that items may have although the document does not describe them, by the paths of collections. */
  members?: Readonly<Record<string, readonly string[]>>;
  /** Members by which paths name items as by their ids, by the paths of collections. */
  aliases?: Readonly<Record<string, string>>;
  /** The members of items that their callers send as credentials, by the paths of collections. */
  keys?: Readonly<Record<string, string>>;
};

/**
 * A member of the items `in` a collection that counts the items `of` another one: those below it, or
 * those whose member `by` is its id; of these, only those that have the values of `when`.
 */
export type Count = {
  in: string;
  member: string;
  of: string;
  by?: string;
  when?: Readonly<Record<string, unknown>>;
};

/** Values of members, by their names; an expression that is `null` in the document removes nothing. */
export type Members = ReadonlyMap<string, Expression>;

/** An answer: its status, and its body as JSON whose texts may have expressions. */
export type AnswerRule = {
  status?: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
};

/** A refusal, where all that expressions name has one of some values, or none of these (`unless`). */
export type Refusal = AnswerRule & {
  status: number;
  when: ReadonlyMap<string, readonly unknown[]>;
  unless: ReadonlyMap<string, readonly unknown[]>;
};

type Parse = (value: unknown) => unknown;

/** The members of `x-twin` that are rules, each with its parser, which throws what is wrong with it. */
const parsers: Readonly<Record<string, Parse>> = {
  values: parseMembers,
  sets: parseMembers,
  parent: parseMembers,
  refuses: parseRefusals,
  errors: parseErrors,
  order: parseOrder,
  newId: parseText,
  times: parseTime,
  status: parseStatus,
  body: parseTemplate,
  headers: parseHeaders,
  unique: parseTexts,
  ignores: parseTexts,
  filters: parseMembers,
  shows: parseMembers,
  keeps: (value) => value !== false && parseMembers(value),
  removes: parseNames,
  makes: parseMade,
};

/** The rules of the whole document. */
const parsersOfAll: typeof parsers = {
  errors: parseErrors,
  counts: parseCounts,
  keys: parseNames,
  members: parseLists,
  aliases: parseNames,
};

/** The names of the rules in `x-twin`. */
export const ruleNames: readonly string[] = Object.keys(parsers);

/** Returns the rules of an `x-twin`; undefined where it has none. Throws an Error for a wrong one. */
export function parseRules(
  hint: Readonly<Record<string, unknown>>,
  { isOfAll = false } = {},
): Rules | undefined {
  const own = isOfAll ? parsersOfAll : parsers;
  const found = Object.keys(own).filter((name) => hint[name] !== undefined);
  if (found.length === 0) return undefined;
  const entries = found.map((name) => {
    try {
      return [name, own[name]?.(hint[name])];
    } catch (error) {
      throw new Error(`has ${name} that ${(error as Error).message}`);
    }
  });
  return Object.fromEntries(entries) as Rules;
}

/** Returns what is wrong with these rules, as the end of a sentence; undefined if nothing is. */
export function ruleProblemOf(...given: Parameters<typeof parseRules>): string | undefined {
  try {
    parseRules(...given);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function parseMembers(value: unknown): Members {
  const parsed = parseEach(value, parseExpression, 'values by the names of members');
  return inOrder(new Map(Object.entries(parsed)));
}

function parseEach<Value>(
  value: unknown,
  parse: (one: unknown) => Value,
  members: string,
): Record<string, Value> {
  if (!isObject(value)) throw new Error(`must be an object of ${members}`);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, parse(one)]));
}

/** Members in an order in which those that name others of them come after these. */
function inOrder(members: Map<string, Expression>): Members {
  const ordered = new Map<string, Expression>();
  const take = (name: string, expression: Expression) => {
    if (!members.delete(name)) return;
    for (const [other, one] of [...members])
      if (expression.names.some((own) => own === other || own.startsWith(`${other}.`)))
        take(other, one);
    ordered.set(name, expression);
  };
  for (const [name, expression] of [...members]) take(name, expression);
  return ordered;
}

function parseRefusals(value: unknown): Refusal[] {
  if (!Array.isArray(value)) throw new Error('must be a list');
  return value.map((one) => {
    const { when = {}, unless = {}, ...answer } = isObject(one) ? one : {};
    if (!isObject(when) || !isObject(unless))
      throw new Error('must have when and unless as objects of values by what has them');
    const { status, ...others } = parseAnswer(answer);
    if (status === undefined) throw new Error('must have a status from 200 to 599');
    return { ...others, status, when: toConditions(when), unless: toConditions(unless) };
  });
}

function toConditions(conditions: object): Map<string, readonly unknown[]> {
  return new Map(
    Object.entries(conditions).map(([name, one]) => {
      parseExpression(`{${name}}`);
      return [name, Array.isArray(one) ? one : [one]];
    }),
  );
}

function parseErrors(value: unknown): Record<string, AnswerRule> {
  return parseEach(value, parseAnswer, 'answers by the codes of errors');
}

function parseAnswer(value: unknown): AnswerRule {
  if (!isObject(value)) throw new Error('must have answers as objects');
  const { status, body, headers, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new Error(`has "${unknown}", but answers have status, body and headers`);
  return defined({
    status: status === undefined ? undefined : parseStatus(status),
    body: parseTemplate(body),
    headers: headers === undefined ? undefined : parseHeaders(headers),
  });
}

function parseHeaders(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) throw new Error('must have headers as an object');
  return parseTemplate(value) as Record<string, string>;
}

function parseTemplate(value: unknown): unknown {
  checkTemplate(value);
  return value;
}

/** Throws what is wrong with the texts of a body. */
function checkTemplate(body: unknown): void {
  if (typeof body === 'string') parseExpression(body);
  else if (typeof body === 'object' && body !== null) Object.values(body).forEach(checkTemplate);
}

function parseCounts(value: unknown): Count[] {
  const isCount = (one: unknown): one is Count =>
    isObject(one) &&
    [one.in, one.member, one.of, one.by ?? ''].every((text) => typeof text === 'string') &&
    isObject(one.when ?? {});
  if (Array.isArray(value) && value.every(isCount)) return value;
  throw new Error('must be a list of objects with in, member and of, and perhaps by and when');
}

function parseNames(value: unknown): Record<string, string> {
  if (isObject(value) && Object.values(value).every((one) => typeof one === 'string')) return value;
  throw new Error('must be an object of members by the paths of collections');
}

function parseLists(value: unknown): Record<string, string[]> {
  return parseEach(value, parseTexts, 'lists by the paths of collections');
}

function parseMade(value: unknown): Record<string, readonly object[]> {
  const isMade = (one: unknown) => Array.isArray(one) && one.every(isObject);
  if (!isObject(value) || !Object.values(value).every(isMade))
    throw new Error('must be an object of lists of bodies by the paths of collections');
  return parseTemplate(value) as Record<string, readonly object[]>;
}

function parseOrder(value: unknown): Rules['order'] {
  const text = parseText(value);
  if (text === 'newest-first' || text === 'oldest-first')
    return { isDescending: text === 'newest-first' };
  return { property: text.replace(/^-/, ''), isDescending: text.startsWith('-') };
}

function parseText(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error('must be a text');
}

function parseTime(value: unknown): string {
  const text = parseText(value);
  if (Number.isNaN(Date.parse(text))) throw new Error('must be a time');
  return text;
}

function parseTexts(value: unknown): string[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Error('must be a list of texts');
}

function parseStatus(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 200 && Number(value) < 600) return Number(value);
  throw new Error('must have a status from 200 to 599');
}

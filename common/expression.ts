import { isObject } from './json.ts';
import { valueIn } from './property-path.ts';
import { remembered } from './remembered.ts';
import { wordsOf } from './words.ts';

/** The values that an expression may name: `item` without a name in front, others by their names. */
export type Scope = {
  item: unknown;
  now: number;
  /** The number of the item in its collection, and a source of numbers from 0 to 1. */
  serial?: number | undefined;
  random?: (() => number) | undefined;
} & Readonly<Record<string, unknown>>;

/** The time of a call, which is written as the value in whose place it comes. */
export class Moment {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }
}

/** Returns a value of JSON in which every text is evaluated, at any depth. */
export function evaluateAll(template: unknown, scope: Scope): unknown {
  if (typeof template === 'string') {
    const value = parseExpression(template).evaluate(scope);
    return value instanceof Moment ? new Date(value.milliseconds).toISOString() : value;
  }
  if (Array.isArray(template)) return template.map((one) => evaluateAll(one, scope));
  if (!isObject(template)) return template;
  const entries = Object.entries(template).map(([name, one]) => [name, evaluateAll(one, scope)]);
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined && one !== absent));
}

/** A value, or a text with expressions in braces; undefined where something that it names is not there. */
export type Expression = {
  evaluate: (scope: Scope) => unknown;
  /** The names in it, such as `path.owner` or `now`. */
  names: readonly string[];
};

type Term = { names: readonly string[]; of: (scope: Scope) => unknown };

/** Begins names of values that are none of the item. */
const scopeNames = [
  ...['path', 'query', 'body', 'parent', 'before', 'item', 'error'],
  ...['singles', 'server', 'caller', 'headers'],
] as const;

/** Whether a name in an expression is of something that only a call has. */
export function needsCall(name: string): boolean {
  const [first = '', ...rest] = name.split('.');
  const isOfCall = rest.length > 0 && (scopeNames as readonly string[]).includes(first);
  return isOfCall || ['now', 'serial', 'random'].includes(name);
}

/** The value of `{absent}`: the member is left out. */
export const absent = Symbol('absent');

const functions: Readonly<Record<string, (value: unknown, name?: string) => unknown>> = {
  lower: (value) => (typeof value === 'string' ? value.toLowerCase() : undefined),
  upper: (value) => (typeof value === 'string' ? value.toUpperCase() : undefined),
  plain: (value) => (isPlain(value) ? /^[\w.~-]*$/.test(String(value)) : undefined),
  slug: (value) => (typeof value === 'string' ? wordsOf(value).join('-') : undefined),
  count: (value) => (Array.isArray(value) ? value.length : undefined),
  text: (value) => (isPlain(value) ? String(value) : undefined),
  number: (value) =>
    value instanceof Moment
      ? value.milliseconds
      : isPlain(value) && value !== ''
        ? numberIn(value)
        : undefined,
};

/** The names of the functions of expressions. */
const functionNames: readonly string[] = ['sum', ...Object.keys(functions)];

/**
 * Parses a value of a rule: a text may have expressions in braces, `{{` and `}}` stand for braces,
 * lists and objects have such texts at any depth, and any other JSON is itself. Throws an Error whose
 * message ends a sentence about the text.
 */
export function parseExpression(value: unknown): Expression {
  if (typeof value === 'string') return parseText(value);
  const names = [...new Set(membersIn(value).flatMap((one) => parseExpression(one).names))];
  return { evaluate: (scope) => evaluateAll(value, scope), names };
}

function membersIn(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

const parseText = remembered((value): Expression => {
  const parts = value.split(/(\{\{|\}\}|\{[^{}]*\})/);
  const terms = parts.flatMap((part, at): Term[] => {
    if (part === '') return [];
    const text = part === '{{' ? '{' : part === '}}' ? '}' : part;
    if (at % 2 === 1 && part.length > 2) return [parseTerm(part.slice(1, -1).trim())];
    if (at % 2 === 0 && /[{}]/.test(part)) throw new Error('has a brace without its other one');
    return [{ names: [], of: () => text }];
  });
  const [only, ...others] = terms;
  const names = terms.flatMap((term) => term.names);
  const isAlone = others.length === 0 && only !== undefined;
  return { names, evaluate: isAlone ? only.of : (scope) => join(terms, scope) };
});

function join(terms: readonly Term[], scope: Scope): unknown {
  const values = terms.map(({ of }) => of(scope));
  const texts = values.map((one) =>
    one instanceof Moment ? new Date(one.milliseconds).toISOString() : one,
  );
  return texts.every(isPlain) ? texts.join('') : undefined;
}

function parseTerm(text: string): Term {
  const [, called, inner = ''] = /^(\w+)\((.*)\)$/.exec(text) ?? [];
  if (called !== undefined) return toCall(called, parseTerm(inner.trim()), inner);
  const [, asked, yes = '', no = ''] = /^([\w$@.-]+) \? (.*) : (.*)$/.exec(text) ?? [];
  if (asked !== undefined) return toChoice(parseTerm(asked), yes, no);
  const [, left = '', sign, digits] = /^(.+?) ([+-]) (\d+)$/.exec(text) ?? [];
  if (digits !== undefined) return toSum(parseTerm(left), Number(`${sign}${digits}`));
  if (text === 'serial') return { names: ['serial'], of: ({ serial }) => serial };
  const [, length] = /^random (\d{1,3})$/.exec(text) ?? [];
  if (length !== undefined)
    return { names: ['random'], of: ({ random }) => random && toDigits(random, Number(length)) };
  if (text === 'absent') return { names: [], of: () => absent };
  if (text === 'now') return { names: ['now'], of: ({ now }) => new Moment(now) };
  if (!/^[\w$@-]+(\.[\w$@-]+)*$/.test(text))
    throw new Error(`has {${text}}, which is no name such as {path.owner} or {name}`);
  const [first = '', ...rest] = text.split('.');
  const isOther = (scopeNames as readonly string[]).includes(first) && rest.length > 0;
  const keys = isOther ? rest : [first, ...rest];
  const of = (scope: Scope) => valueIn(isOther ? scope[first] : scope.item, keys);
  return { names: [text], of: text === 'item' ? (scope) => of(scope) ?? scope.item : of };
}

function toCall(name: string, { names, of }: Term, inner: string): Term {
  if (name === 'sum') return toSumOf(inner);
  const act = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!act) throw new Error(`calls ${name}(), but may call ${functionNames.join(', ')}`);
  return { names, of: (scope) => act(of(scope)) };
}

/** One of two values: the first if there is something, and that is not `null`, `false` or empty. */
function toChoice({ names, of }: Term, yes: string, no: string): Term {
  const toValue = (text: string) =>
    /^(null|true|false|-?\d+(\.\d+)?)$/.test(text) ? JSON.parse(text) : text;
  const values = [yes, no].map(toValue);
  const isThere = (value: unknown) => ![undefined, null, false, ''].includes(value as null);
  return { names, of: (scope) => values[isThere(of(scope)) ? 0 : 1] };
}

/** The sum of a member of the objects of a list: `sum(lines.amount)`. */
function toSumOf(inner: string): Term {
  const list = parseTerm(inner.slice(0, inner.lastIndexOf('.')) || inner);
  const member = inner.slice(inner.lastIndexOf('.') + 1);
  return {
    names: [inner],
    of(scope) {
      const items = list.of(scope);
      if (!Array.isArray(items)) return undefined;
      const numbers = items.map((one) => (isObject(one) ? one[member] : one));
      return numbers.every((one) => typeof one === 'number')
        ? numbers.reduce((sum, one) => sum + one, 0)
        : undefined;
    },
  };
}

function toSum({ names, of }: Term, added: number): Term {
  return {
    names,
    of(scope) {
      const value = of(scope);
      return typeof value === 'number' ? value + added : undefined;
    },
  };
}

/** A text of so many hexadecimal digits. */
function toDigits(random: () => number, length: number): string {
  return Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
}

function isPlain(value: unknown): value is string | number | bigint | boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function numberIn(value: string | number | bigint | boolean): number | undefined {
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

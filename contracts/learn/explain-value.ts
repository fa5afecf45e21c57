import { isDeepStrictEqual } from 'node:util';
import { absent, Moment, parseExpression, type Scope } from '../../common/expression.ts';
import { isObject, isSame, mapLeaves } from '../../common/json.ts';
import { textOf } from '../../common/text-of.ts';
import { wordsOf } from '../../common/words.ts';
import { confidenceOf } from './lines.ts';
import { isEmpty } from './may-keep.ts';

/** A value that was seen, and what an expression for it may name; undefined where it was absent. */
export type Sample = { scope: Scope; value: unknown };

/** An expression as `x-twin` has it, and how sure it is: how many samples it explains. */
export type Explanation = { expression: unknown; confidence: 'high' | 'medium' | 'low' };

export type ExplainOptions = {
  /** The last name of the place of the value, if it has one. */
  name?: string;
  /** Whether a constant may be kept that was seen so often with one value. */
  mayKeep: (value: unknown, samples: number) => boolean;
};

/** The time between a call and a value that is its time, in milliseconds, whatever clocks say. */
const maxLag = 90_000;

/**
 * Finds the smallest expression that gives the value of each sample: a constant, the time, another
 * value, one made of it by a function, or a text with several. Undefined where none does.
 */
export function explainValue(
  samples: readonly Sample[],
  { mayKeep, name: own }: ExplainOptions,
): Explanation | undefined {
  const [first] = samples;
  if (!first) return undefined;
  const confidence = confidenceOf(samples.length);
  const explained = (expression: unknown) => ({ expression, confidence }) as const;
  if (samples.every(({ value }) => value === undefined)) return explained('{absent}');
  if (samples.some(({ value }) => value === undefined)) return undefined;
  // The order of members says nothing.
  const isConstant = samples.every(({ value }) => isDeepStrictEqual(value, first.value));
  const names = namesIn(first.scope);
  const fits = (expression: string) => explainsAll(expression, samples);
  if (samples.every(isNow)) {
    const copied = names.find(
      (name) => /^(parent|before|singles)\./.test(name) && fits(`{${name}}`),
    );
    // Of a number, the mock supposes seconds.
    const isPrecise = samples.every(({ value }) => Number(value) >= 1e12);
    return explained(copied ? `{${copied}}` : isPrecise ? '{number(now)}' : '{now}');
  }
  const findAlike = (space: string) =>
    names.find((name) => name.startsWith(space) && name.endsWith(`.${own}`) && fits(`{${name}}`));
  const sent = isConstant && isEmpty(first.value) ? undefined : findAlike('body.');
  if (sent) return explained(`{${sent}}`);
  // Of a value that never differs, nobody can say that it follows another one.
  if (isConstant && mayKeep(first.value, samples.length)) return explained(quoted(first.value));
  const alike = findAlike('');
  if (alike) return explained(`{${alike}}`);
  // A short text is another one by chance, unless both are what something is called.
  const isCalled = [own ?? '', ...names].filter((name) => calling.test(name));
  const telling = isConstant && !isTelling(first.value) ? isCalled.slice(1) : names;
  if (telling !== names && isCalled[0] !== own) return undefined;
  const single = telling.map((name) => `{${name}}`).find(fits);
  if (telling !== names) return single === undefined ? undefined : explained(single);
  if (single) return explained(single);
  const made = names
    .flatMap((name) => [
      ...['lower', 'upper', 'slug', 'text', 'number', 'count'].map((one) => `{${one}(${name})}`),
      ...['+ 1', '- 1'].map((change) => `{${name} ${change}}`),
    ])
    .find(fits);
  if (made) return explained(made);
  const sum = sumsIn(first.scope).find(fits);
  if (sum) return explained(sum);
  const counted = findCounted(samples, (text) => mayKeep(text, samples.length));
  if (counted) return explained(counted);
  const template = findTemplate(samples, names, (text) => mayKeep(text, samples.length));
  if (template && fits(template)) return explained(template);
  const choice = findChoice(samples, mayKeep);
  return choice === undefined ? undefined : explained(choice);
}

/** A copy of what was sent, that is left out where it was not sent. */
export function explainOptional(samples: readonly Sample[], own: string): string | undefined {
  const shown = samples.find(({ value }) => value !== undefined);
  const name = namesIn(shown?.scope ?? { item: undefined, now: 0 }).find((name) => {
    const { evaluate } = parseExpression(`{${name}}`);
    const isSent = name.startsWith('body.') && name.endsWith(`.${own}`);
    return isSent && samples.every(({ scope, value }) => isDeepStrictEqual(evaluate(scope), value));
  });
  return name === undefined ? undefined : `{${name}}`;
}

const calling = /(^|\.)(login|user_?name|name|slug)$/i;

/** One of two constants, by whether something was sent, or was there before. */
function findChoice(
  samples: readonly Sample[],
  mayKeep: ExplainOptions['mayKeep'],
): string | undefined {
  const groups = [...Map.groupBy(samples, ({ value }) => value)];
  const isKept = ([value, { length }]: (typeof groups)[number]) =>
    /^[^{}]+$/.test(String(value)) && length > 1 && mayKeep(value, length);
  if (groups.length !== 2 || !groups.every(isKept)) return undefined;
  const [one, other] = groups.map(([value]) => value);
  const names = new Set(samples.flatMap(({ scope }) => namesIn(scope)));
  // What says so by its name does so more likely: `scheduled_at` than another one that was sent.
  const said = new Set([one, other].flatMap((value) => wordsOf(String(value))));
  const isUnsaid = (name: string) => Number(!wordsOf(name).some((word) => said.has(word)));
  return [...names]
    .filter((name) => /^(body|query|before)\./.test(name))
    .toSorted((left, right) => isUnsaid(left) - isUnsaid(right))
    .flatMap((name) => [`{${name} ? ${one} : ${other}}`, `{${name} ? ${other} : ${one}}`])
    .find((choice) => explainsAll(choice, samples));
}

/** Whether an expression gives the value of every sample. */
export function explainsAll(expression: unknown, samples: readonly Sample[]): boolean {
  const { evaluate } = parseExpression(expression);
  return samples.every(({ scope, value }) => {
    const made = evaluate(scope);
    if (made instanceof Moment || (expression === '{number(now)}' && made !== undefined))
      return isNow({ scope, value });
    return made === absent ? value === undefined : made !== undefined && isSame(made, value);
  });
}

/** A constant as an expression: braces of texts are doubled, at any depth. */
export function quoted(value: unknown): unknown {
  return mapLeaves(value, (one) =>
    typeof one === 'string' ? one.replaceAll(/[{}]/g, '$&$&') : one,
  );
}

/** Whether a value is the time of its call. */
function isNow({ scope: { now }, value }: Sample): boolean {
  return Math.abs((millisecondsOf(value) ?? Number.NEGATIVE_INFINITY) - now) < maxLag;
}

function millisecondsOf(value: unknown): number | undefined {
  if (typeof value === 'number' && value >= 1e9 && value < 1e10) return value * 1000;
  if (typeof value === 'number' && value >= 1e12 && value < 1e13) return value;
  return typeof value === 'string' && /^(\d{4}-\d\d-\d\d[T ]|[A-Z][a-z]{2}, .* )\d\d:/.test(value)
    ? Date.parse(value)
    : undefined;
}

/** Whether a value is one that two places hardly have by chance: a text of four characters or more. */
function isTelling(value: unknown): boolean {
  return typeof value === 'string' ? value.length >= 4 : typeof value === 'number' && value > 99;
}

/** The names of all plain values in a scope, the nearest and shortest first. */
function namesIn(scope: Scope): string[] {
  const spaces = ['body', 'path', 'query', 'before', 'caller', 'parent', 'error', 'singles'];
  const found = [...spaces, 'server'].flatMap((space) => namesBelow(scope[space], space));
  return [
    ...found,
    ...(scope.serial === undefined ? [] : ['serial']),
    ...namesBelow(scope.item, ''),
  ].toSorted((left, right) => left.split('.').length - right.split('.').length);
}

const deepest = 4;

function namesBelow(value: unknown, name: string): string[] {
  const words = name.split('.');
  const level = name === '' ? 0 : words.length - (words[0] === 'singles' ? 2 : 0);
  if (Array.isArray(value)) return [name];
  if (!isObject(value)) return name === '' || value === null || value === undefined ? [] : [name];
  if (level >= deepest) return [];
  return Object.entries(value)
    .filter(([key]) => /^[\w$@-]+$/.test(key))
    .flatMap(([key, one]) => namesBelow(one, name === '' ? key : `${name}.${key}`));
}

/** Sums of a member of the objects in lists. */
function sumsIn(scope: Scope): string[] {
  const lists = namesIn(scope).flatMap((name) => {
    const list = parseExpression(`{${name}}`).evaluate(scope);
    const [item] = Array.isArray(list) ? list : [];
    return isObject(item) ? Object.keys(item).map((member) => `{sum(${name}.${member})}`) : [];
  });
  return lists.filter((one) => /^\{sum\([\w$@.-]+\)\}$/.test(one));
}

/** A text that ends with a number which counts the items, from whatever it begins with. */
function findCounted(
  samples: readonly Sample[],
  mayKeep: (text: string) => boolean,
): string | undefined {
  const parts = samples.map(({ scope: { serial = Number.NaN }, value }) => {
    const [, start, digits] = /^(\D{0,12})(0|[1-9]\d{0,8})$/.exec(String(value)) ?? [];
    return { start, step: Number(digits) - serial };
  });
  const [first = { start: undefined, step: 0 }] = parts;
  const isOne = parts.every(({ start, step }) => start === first.start && step === first.step);
  const { start, step } = first;
  if (!isOne || start === undefined || samples.some(({ value }) => typeof value !== 'string'))
    return undefined;
  const isCounting = new Set(samples.map(({ value }) => value)).size > 1;
  if (!isCounting || (start !== '' && !mayKeep(start))) return undefined;
  const change = step === 0 ? '' : ` ${step < 0 ? '-' : '+'} ${Math.abs(step)}`;
  return `${quoted(start)}{serial${change}}`;
}

/** The length from which a text is looked for anywhere in a value, and not only as a whole word. */
const leastPart = 4;

/** The place of a text in another one; -1 where it is not there, or is short and not a whole word. */
function placeOf(part: string, text: string): number {
  if (part.length >= leastPart) return text.indexOf(part);
  return new RegExp(`(?<![\\w])${RegExp.escape(part)}(?![\\w])`).exec(text)?.index ?? -1;
}

/** A part of a text in each sample: that of a name, or what is left. */
type Piece = { texts: readonly string[]; name?: string };

/**
 * A text in which parts that are values of each sample are named, the longest first. Undefined where
 * another part differs or may not be kept.
 */
function findTemplate(
  samples: readonly Sample[],
  names: readonly string[],
  mayKeep: (text: string) => boolean,
): string | undefined {
  const texts = samples.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const [first = ''] = texts;
  if (texts.length < samples.length) return undefined;
  const parts = names.flatMap((name) => {
    const { evaluate } = parseExpression(`{text(${name})}`);
    const valueIn = ({ scope }: Sample) => textOf(evaluate(scope) ?? '');
    const [sample] = samples;
    const start = sample ? valueIn(sample) : '';
    return start !== '' && first.includes(start) ? [{ name, texts: samples.map(valueIn) }] : [];
  });
  const lengthOf = ({ texts: [text = ''] }: Piece) => text.length;
  let pieces: Piece[] = [{ texts }];
  for (const part of parts.toSorted((left, right) => lengthOf(right) - lengthOf(left)))
    pieces = pieces.flatMap((piece) => (piece.name === undefined ? splitBy(part, piece) : piece));
  const isShown = ({ texts: [text = '', ...others], name }: Piece) =>
    name !== undefined ||
    (others.every((one) => one === text) &&
      (!/[\p{L}\d]/u.test(text) || mayKeep(text.replaceAll(/["'`]/g, ''))));
  if (!pieces.some(({ name }) => name !== undefined) || !pieces.every(isShown)) return undefined;
  return pieces.map(({ texts: [text], name }) => (name ? `{${name}}` : quoted(text))).join('');
}

/** Splits a piece where a part is in it in each sample. */
function splitBy(part: Piece, piece: Piece): Piece[] {
  const places = piece.texts.map((text, index) => placeOf(part.texts[index] || '\0', text));
  if (places.some((at) => at < 0)) return [piece];
  const cut = (toEnds: (text: string, at: number, length: number) => string): Piece => ({
    texts: piece.texts.map((text, index) =>
      toEnds(text, places[index] ?? 0, part.texts[index]?.length ?? 0),
    ),
  });
  const left = cut((text, at) => text.slice(0, at));
  const right = cut((text, at, length) => text.slice(at + length));
  return [left, part, right].filter(({ texts }) => texts.some((text) => text !== ''));
}

import { isObject } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { toPlainName } from '../../common/words.ts';
import type { Api, DescribeSchema, FlatSchema, Schema } from '../../openapi/index.ts';
import { generateValue, mendValue } from '../../openapi/values/generate.ts';
import { ownValue, withinTries } from '../../openapi/values/make-options.ts';
import { type PlainSchema, toPlainSchemas } from '../../openapi/values/plain-schema.ts';
import type { ErrorProblem } from '../answers/answer.ts';
import { fits } from '../json/validator.ts';
import {
  chooseValue,
  type ErrorFacts,
  fieldOf,
  isFact,
  isOfError,
  isSpoken,
  listsErrors,
  listsProblems,
  partsOf,
  saidBy,
} from './error-facts.ts';

/** Puts what is known of an error into the form of a schema; undefined where that cannot be. */
export type FillError = (schema: Schema, facts: ErrorFacts, example?: unknown) => unknown;

/** Bounds the depth of error forms: recursive alternatives multiply. */
const maxDepth = 4;

/**
 * Creates a filler of error schemas, by the names and types of members. Unknown members are left
 * out, unless required: then they are empty, or what the schema shows.
 */
export function createFillError(document: Api): FillError {
  const describe = document.schemas.describeShown;
  const fitsIn = (schema: Schema, value: unknown) => fits(document, schema, value);
  const options = { seed: 1, describe, own: true };
  const generate = oncePer((schema: Schema) => generateValue(schema, options));
  return (schema, facts, example) => {
    const { isNullable } = document.schemas;
    const filler = new ErrorFiller({ describe, isNullable, fits: fitsIn, generate });
    const place = { name: 'message', siblings: new Set(['']), depth: 0, isRequired: true, facts };
    const value = filler.fill(schema, place);
    const { code, message, status } = facts;
    const own = { code, message, status };
    const isEmpty = JSON.stringify(value) === '{}';
    return firstFitting(
      [
        () => (isEmpty ? example : value),
        () => own,
        () => value,
        () => mendValue(value ?? own, schema, { ...options, fits: withinTries(fitsIn) }),
        () => generateValue(schema, options),
      ],
      (made) => fits(document, schema, made),
    );
  };
}

function firstFitting(
  ways: readonly (() => unknown)[],
  fits: (value: unknown) => boolean,
): unknown {
  for (const way of ways)
    try {
      const value = way();
      if (value !== undefined && fits(value)) return value;
    } catch {
      // Not every pattern can be met.
    }
  return undefined;
}

/**
 * Returns the alternative whose status, code or type, or that of an object in it, is that of the
 * error; undefined where none tells.
 */
export function chooseTold(choices: readonly unknown[], facts: ErrorFacts): unknown {
  const whole = choices.filter(isObject);
  const objects = whole.map((one): Record<string, unknown> => {
    const inner = Object.values(one).filter(isObject);
    return Object.assign({}, ...inner, one);
  });
  const names = new Set(objects.flatMap((one) => Object.keys(one)));
  const rank = (name: string) => Number(saidBy(name, facts, none)[0] !== facts.status);
  const sorted = [...names].filter(isFact).toSorted((left, right) => rank(left) - rank(right));
  const find = (choose: (told: unknown[], name: string) => unknown) => {
    for (const name of sorted) {
      const told = objects.map((one) => one[name]).filter((one) => typeof one !== 'object');
      const value = new Set(told).size > 1 ? choose(told, name) : undefined;
      if (value !== undefined) return whole[objects.findIndex((one) => one[name] === value)];
    }
    return undefined;
  };
  const isSaid = (name: string) => (one: unknown) => saidBy(name, facts, none).includes(one);
  return find((told, name) => told.find(isSaid(name))) ?? find((told) => chooseValue(told, facts));
}

const none: ReadonlySet<string> = new Set();

type FillerTools = {
  describe: DescribeSchema;
  isNullable: (schema: Schema) => boolean;
  fits: (schema: Schema, value: unknown) => boolean;
  generate: (schema: Schema) => unknown;
};

type Place = {
  name: string;
  siblings: ReadonlySet<string>;
  depth: number;
  isRequired: boolean;
  /** Whether the member is an entry in a list of errors. */
  isEntry?: boolean;
  facts: ErrorFacts;
};

/** Fills the form of one error, from the outside in. */
class ErrorFiller {
  readonly #tools: FillerTools;

  constructor(tools: FillerTools) {
    this.#tools = tools;
  }

  fill(node: Schema, place: Place): unknown {
    if (typeof node !== 'object' || node === null) return undefined;
    if (place.depth > maxDepth) return undefined;
    const ways = toPlainSchemas(node, this.#tools.describe);
    const values = ways
      .map((way) => this.#fillPlain(way, place))
      .filter((value) => value !== undefined);
    const fitting = values.filter((value) => this.#tools.fits(node, value));
    const choices = fitting.length > 0 ? fitting : values;
    return chooseTold(choices, place.facts) ?? choices[0];
  }

  #fillPlain({ schema, ...members }: PlainSchema, place: Place): unknown {
    if ('const' in schema) return schema.const;
    if (Object.keys(members.properties).length > 0) return this.#fillMembers(members, place);
    if (place.depth === 0 && ['type', 'enum', 'items'].every((one) => schema[one] === undefined))
      return this.#fillOpen(schema, place);
    const said = saidBy(place.name, place.facts, place.siblings);
    const known = said.find((one) => this.#tools.fits(schema, one));
    if (known !== undefined) return known;
    if (Array.isArray(schema.enum))
      return (
        chooseValue(schema.enum, place.facts) ?? (place.isRequired ? schema.enum[0] : undefined)
      );
    const type = [schema.type].flat().find((one) => one !== 'null');
    if (type === 'array') return this.#fillList(schema, place);
    const isOpen = type === 'object' || schema.additionalProperties;
    return isOpen ? this.#fillOpen(schema, place) : schema.default;
  }

  #fillMembers({ properties, required }: FlatSchema, place: Place): unknown {
    const { facts, depth } = place;
    const names = Object.keys(properties);
    const siblings = new Set(names.map(toPlainName));
    const filled = new Map<string, unknown>();
    for (const name of names) {
      const schema = properties[name] as Schema;
      // A fact that may be null need not be said.
      const isNull = required.includes(name) && this.#tools.isNullable(schema);
      const isRequired = required.includes(name) && !isNull;
      const inner = { name, siblings, depth: depth + 1, isRequired, facts };
      const isOnly = depth === 0 && names.length === 1 && !isFact(name);
      // The only text of an error says what is wrong, whatever it is called.
      const isMessage = isOnly && this.#isPlainText(schema);
      const value = this.fill(schema, isMessage ? { ...inner, name: 'message' } : inner);
      if (value !== undefined && this.#tools.fits(schema, value)) filled.set(name, value);
      else if (isRequired) {
        // It is about something else, such as the payment that failed.
        if (!place.isRequired && !isOfError(place.name)) return undefined;
        const unknown = this.#fillUnknown(schema, { name, facts });
        if (unknown !== undefined) filled.set(name, unknown);
      } else if (isNull) filled.set(name, null);
    }
    if (filled.size === 0 && depth > 0) return undefined;
    return Object.fromEntries(filled);
  }

  #isPlainText(node: Schema): boolean {
    const { schema } = this.#tools.describe(node);
    return schema.type === 'string' && ownValue(schema) === undefined;
  }

  #fillList(schema: Schema, place: Place): unknown {
    const { name, siblings, depth, isRequired, facts } = place;
    const items = (schema.items ?? {}) as Schema;
    if (toPlainName(name) === 'loc' && facts.problem)
      return [facts.problem.in, ...partsOf(facts.problem.pointer)];
    const canBeEmpty = this.#tools.fits(schema, []);
    const none = isRequired && canBeEmpty ? [] : undefined;
    if (depth > 0 && !listsProblems(name)) return ownValue(schema) === undefined ? none : undefined;
    const problems: (ErrorProblem | undefined)[] = [...facts.problems];
    const others = siblings.difference(new Set([toPlainName(name)]));
    const isElsewhere = depth > 0 && isSpoken(others) && (canBeEmpty || !isRequired);
    const saysMore = depth === 0 || listsErrors(name) || (isRequired && !canBeEmpty);
    if (problems.length === 0 && saysMore && !isElsewhere) problems.push(undefined);
    if (problems.length === 0) return none;
    return problems.map((problem) => {
      const own = problem ? { ...facts, problem } : facts;
      const inner = { name: 'message', siblings, depth: depth + 1, isRequired: true, facts: own };
      return (
        this.fill(items, { ...inner, isEntry: true }) ??
        this.#fillUnknown(items, { name: 'message', facts: own })
      );
    });
  }

  /** Fills an object without described members with the facts of the error. */
  #fillOpen(schema: Schema, place: Place): unknown {
    const { name, siblings, depth, isRequired, isEntry, facts } = place;
    const { code, message, status, problem } = facts;
    if (depth === 0) return { code, message, status };
    if (isEntry) {
      const { problem: sentence = message, pointer } = problem ?? {};
      const entry = { code, message: sentence, ...(pointer !== undefined && { pointer }) };
      return this.#tools.fits(schema, entry) ? entry : undefined;
    }
    if (!listsProblems(name) || facts.problems.length === 0) return isRequired ? {} : undefined;
    const others = schema.additionalProperties as Schema | true | undefined;
    const isList =
      others === undefined ||
      others === true ||
      this.#tools.describe(others).schema?.type === 'array';
    const toValue = (problems: readonly ErrorProblem[]): unknown => {
      if (isList) return problems.map((one) => one.problem);
      const own = { ...facts, problem: problems[0] as ErrorProblem };
      const inner = { name: 'message', siblings, depth: depth + 1, isRequired: true, facts: own };
      return this.fill(others, inner);
    };
    const byField = [...Map.groupBy(facts.problems, fieldOf)];
    return Object.fromEntries(byField.map(([field, problems]) => [field, toValue(problems)]));
  }

  /**
   * Returns a value for a required member without known meaning: its example if its name makes that
   * harmless, else an empty value, or the error's message. Generates a value only if the schema
   * allows none of these.
   */
  #fillUnknown(node: Schema, { name, facts }: Pick<Place, 'name' | 'facts'>, depth = 0): unknown {
    const { schema, properties, required } = this.#tools.describe(node);
    const fillMembers = () =>
      Object.fromEntries(
        required.map((one) => {
          const place = { name: one, facts };
          return [one, this.#fillUnknown(properties[one] ?? {}, place, depth + 1)];
        }),
      );
    const time = new Date(facts.now).toISOString();
    const none = this.#tools.isNullable(schema) ? [null] : [];
    const empty = [...none, '', 0, false, [], facts.message, time, 'about:blank'];
    const ways: (() => unknown)[] = [
      () => (isFact(name) ? undefined : ownValue(schema)),
      ...empty.map((value) => () => value),
      ...(depth < maxDepth ? [fillMembers] : []),
      () => this.#tools.generate(node),
    ];
    return firstFitting(ways, (value) => this.#tools.fits(node, value));
  }
}

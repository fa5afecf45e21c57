import { isObject } from '../../common/json.ts';
import { singular, toPlainName, wordsOf } from '../../common/words.ts';
import type { Comparison } from '../../openapi/index.ts';
import { comparisonOf, findNamed } from '../../openapi/model/lists.ts';
import { type QueriedItems, type Test, toTest } from './compare-values.ts';
import { parseFilter } from './parse-filter.ts';

const isEach: Test = () => true;

/** Creates a test for what a parameter asks by conditions, which may be written as a text. */
export function createFitsGiven(name: string, given: unknown, queried: QueriedItems): Test {
  const asked = typeof given === 'string' ? parseFilter(given) : undefined;
  return createFitsAsked(asked ?? { [name]: given }, queried);
}

/**
 * Creates a test for conditions as an object or a list, such as `{"status": {"_eq": "open"}}` and
 * `[{"field": "age", "operator": "gt", "value": 3}]`, also in groups. Values without a comparison
 * must be equal; unknown properties and comparisons are ignored.
 */
function createFitsAsked(
  asked: unknown,
  queried: QueriedItems,
  path: readonly string[] = [],
): Test {
  if (Array.isArray(asked)) return all(asked.map((one) => createFitsAsked(one, queried, path)));
  if (!isObject(asked)) return isEach;
  const condition = readCondition(asked);
  if (condition) return createFits(condition, queried);
  const isAny = /^or$/i.test(String(memberOf(asked, ofCondition.comparison)));
  const tests = Object.entries(asked).map(([name, given]): Test => {
    const toParts = () => [given].flat().map((one) => createFitsAsked(one, queried, path));
    if (isAny || /^[_$]?(or|any|should)$|groups$/i.test(name)) {
      const parts = toParts();
      return parts.length > 0 ? any(parts) : isEach;
    }
    if (/^[_$]?(and|all|must)$/i.test(name)) return all(toParts());
    if (path.length > 0) return createFitsMember(name, given, { queried, path });
    const property = findProperty(queried, name);
    if (property === undefined) return typeof given === 'object' ? all(toParts()) : isEach;
    return createFitsMember(undefined, given, { queried, path: [property] });
  });
  return all(tests);
}

function all(tests: readonly Test[]): Test {
  return (fields) => tests.every((test) => test(fields));
}

function any(tests: readonly Test[]): Test {
  return (fields) => tests.some((test) => test(fields));
}

/** Creates a test for what is asked of the value at a path, by a comparison or of a member of it. */
function createFitsMember(
  name: string | undefined,
  given: unknown,
  { queried, path }: { queried: QueriedItems; path: readonly string[] },
): Test {
  const comparison = name === undefined ? 'equal' : comparisonOf(name);
  if (isObject(given))
    return createFitsAsked(given, queried, comparison ? path : [...path, name ?? '']);
  if (comparison) return createFits({ path, comparison, value: given }, queried);
  return name === undefined || /^[_$]/.test(name)
    ? isEach
    : createFits({ path: [...path, name], comparison: 'equal', value: given }, queried);
}

type ReadCondition = { path: readonly string[]; comparison: Comparison; value: unknown };

function createFits({ path, comparison, value }: ReadCondition, queried: QueriedItems): Test {
  const [outer = '', ...inner] = path;
  const property = findProperty(queried, outer);
  if (property === undefined) return isEach;
  const paths = [[property, ...inner]];
  return toTest({ parameter: 'value', paths, comparison }, { value }, queried) ?? isEach;
}

function findProperty({ item }: QueriedItems, name: string): string | undefined {
  const plain = toPlainName(name);
  if (Object.hasOwn(item.properties, name)) return name;
  return findNamed(item, [
    plain,
    `${plain}s`,
    toPlainName(singular(name)),
    plain.replace(/filter$/, ''),
  ]);
}

/** Names of the members that hold the property, the comparison and the value of a condition. */
const ofCondition = {
  property: /^(field|property|attribute|column|key|path)(name)?$|^name$/,
  comparison: /^(operator|operation|op|comparator|comparison|condition)$/,
  value: /^(value|values|val)$/,
};

/** Reads `{"field": "age", "operator": "gt", "value": 3}`; undefined for an object of another form. */
function readCondition(asked: Record<string, unknown>): ReadCondition | undefined {
  const [name, value] = [ofCondition.property, ofCondition.value].map((names) =>
    memberOf(asked, names),
  );
  if (typeof name !== 'string' || value === undefined) return undefined;
  const comparison = comparisonOfOperator(String(memberOf(asked, ofCondition.comparison) ?? ''));
  const text = comparison === 'contains' ? String(value).replace(/^[*%]|[*%]$/g, '') : value;
  return { path: name.split('.'), comparison, value: text };
}

function memberOf(asked: Record<string, unknown>, names: RegExp): unknown {
  return Object.entries(asked).find(([name]) => names.test(toPlainName(name)))?.[1];
}

const signs: Readonly<Record<string, Comparison>> = {
  ...{ '!=': 'not', '<>': 'not', '~': 'contains' },
  ...{ '<': 'less', '<=': 'atMost', '>': 'greater', '>=': 'atLeast' },
};

/** The comparison that an operator asks for, such as `>=`, `GREATER_THAN` and `not_equals`. */
function comparisonOfOperator(operator: string): Comparison {
  const [first = '', ...others] = wordsOf(operator);
  const sign = signs[operator.trim()];
  if (sign) return sign;
  if (/^(is|does)$/.test(first)) return comparisonOfOperator(others.join('_'));
  const includes = others.some((one) => /^equals?$/.test(one));
  if (/^(greater|more)$/.test(first)) return includes ? 'atLeast' : 'greater';
  if (/^(less|lower)$/.test(first)) return includes ? 'atMost' : 'less';
  if (/^(has|matches|match)$/.test(first)) return 'contains';
  return comparisonOf(first) ?? 'equal';
}

/** A part of a filter: a text in quotes, a bracket or comma, a sign, or a word. */
const part =
  /\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|([()[\],])|([<>!]=?|=)|([^\s()[\],<>=!"']+))/gy;

type Part = { text: string; is: 'value' | 'mark' | 'sign' | 'word' };

/** How deep conditions may be within others. */
const maxDepth = 20;

/** The words between a property and a value, with the comparison that each asks for. */
const operators: Readonly<Record<string, string>> = {
  ...{ eq: 'eq', ne: 'ne', gt: 'gt', ge: 'ge', lt: 'lt', le: 'le', in: 'in', has: 'contains' },
  ...{ co: 'contains', sw: 'starts', ew: 'ends' },
};

/**
 * Reads a filter as SCIM (RFC 7644 §3.4.2.2) and OData (4.01 §5.1.1) write it, `status eq 'open' and
 * age gt 3`, or with functions, `and(equals(status,'open'),any(id,['1','2']))`, as an object of
 * conditions. Undefined for other texts.
 */
export function parseFilter(text: string): object | undefined {
  const parts = toParts(text);
  let at = 0;
  const take = (sought: string): boolean => {
    const is = parts[at]?.text.toLowerCase() === sought && parts[at]?.is !== 'value';
    if (is) at += 1;
    return is;
  };
  const readList = <One>(end: string, read: () => One | undefined): One[] | undefined => {
    const all: One[] = [];
    do {
      const one = read();
      if (one === undefined) return undefined;
      all.push(one);
    } while (take(','));
    return take(end) ? all : undefined;
  };
  const readText = (): string | undefined => {
    const found = parts[at++];
    return found?.is === 'value' || found?.is === 'word' ? found.text : undefined;
  };
  const readValue = (): string | string[] | undefined => {
    if (take('(')) return readList(')', readText);
    return take('[') ? readList(']', readText) : readText();
  };
  const readJoined = (word: 'or' | 'and', read: () => object | undefined) => {
    const all: (object | undefined)[] = [read()];
    while (take(word)) all.push(read());
    if (all.includes(undefined)) return undefined;
    return all.length > 1 ? { [word]: all } : all[0];
  };
  const readAny = (depth: number): object | undefined =>
    readJoined('or', () => readJoined('and', () => readOne(depth)));
  const readOne = (depth: number): object | undefined => {
    if (depth > maxDepth) return undefined;
    if (take('not')) return negated(readOne(depth + 1));
    if (take('(')) {
      const inner = readAny(depth + 1);
      return take(')') ? inner : undefined;
    }
    const { text: name, is } = parts[at++] ?? {};
    if (name === undefined || is !== 'word') return undefined;
    if (take('(')) return readCall(name.toLowerCase(), depth);
    if (take('pr')) return {};
    const { text: sign = '', is: kind } = parts[at++] ?? {};
    const operator = kind === 'sign' ? sign : operators[sign.toLowerCase()];
    return operator === undefined ? undefined : toCondition(name, operator, readValue());
  };
  const readCall = (name: string, depth: number): object | undefined => {
    if (name === 'and' || name === 'or') {
      const inner = readList(')', () => readAny(depth + 1));
      return inner && { [name]: inner };
    }
    const [field, ...values] = readList(')', readValue) ?? [];
    if (typeof field !== 'string' || values.length === 0) return undefined;
    return toCondition(field, name === 'any' ? 'in' : name, values.flat());
  };
  const read = readAny(0);
  return at === parts.length ? read : undefined;
}

function toCondition(field: string, operator: string, value: unknown): object | undefined {
  if (value === undefined) return undefined;
  return { field: field.replaceAll('/', '.'), operator, value };
}

/** The opposite of one equality; of others, nothing is asked. */
function negated(condition: object | undefined): object | undefined {
  if (!condition) return undefined;
  const { operator } = condition as { operator?: string };
  return /^(eq|equals?|in|=)$/.test(operator ?? '') ? { ...condition, operator: 'ne' } : {};
}

/** Splits a text; empty where it has what no filter has. */
function toParts(text: string): Part[] {
  const found = [...text.trim().matchAll(part)];
  if (found.map(([whole]) => whole).join('') !== text.trim()) return [];
  return found.map(([, quoted, mark = '', sign = '', word = '']): Part => {
    if (quoted === undefined)
      return { text: mark || sign || word, is: mark ? 'mark' : sign ? 'sign' : 'word' };
    const inner = quoted.slice(1, -1);
    const own = quoted.startsWith("'")
      ? inner.replaceAll("''", "'")
      : inner.replace(/\\(.)/g, '$1');
    return { text: own, is: 'value' };
  });
}

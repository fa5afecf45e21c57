/** A parameter as it was written: a text, a list, or members by their names. */
export type TextTree = string | readonly TextTree[] | { readonly [name: string]: TextTree };

/** What a parameter is to be read as: the alternatives of its schema may allow several. */
export type Shape = 'text' | 'list' | 'object';

/** The members that a list of names and values in turn gives; undefined where it has an odd end. */
export function toMembers(parts: readonly string[]): TextTree | undefined {
  if (parts.length % 2 === 1) return undefined;
  const names = parts.filter((_, at) => at % 2 === 0);
  return Object.fromEntries(names.map((name, at) => [name, parts[at * 2 + 1] as string]));
}

/** The members that texts such as `a=1` give; undefined where one has no equals sign. */
export function toAssignedMembers(parts: readonly string[]): TextTree | undefined {
  if (parts.some((part) => !part.includes('='))) return undefined;
  return Object.fromEntries(
    parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );
}

/** How deep the brackets of a name such as `filter[a][b]` may go. */
const maxBrackets = 20;

type Branch = Map<string, Branch | string[]>;

/**
 * The members that names such as `filter[a][b]` give, where `entries` have the part in brackets;
 * undefined where one is a text and has members.
 */
export function toDeepMembers(
  entries: readonly (readonly [brackets: string, text: string])[],
): TextTree | undefined {
  const root: Branch = new Map();
  for (const [brackets, text] of entries) {
    if (!/^(\[[^[\]]*\])+$/.test(brackets)) return undefined;
    const keys = brackets.slice(1, -1).split('][');
    const isList = keys.at(-1) === '' && keys.length > 1;
    if (isList) keys.pop();
    const last = keys.pop() as string;
    if (keys.length > maxBrackets) return undefined;
    let branch: Branch | string[] = root;
    for (const key of keys) {
      if (!branch.has(key)) branch.set(key, new Map());
      const next: Branch | string[] | undefined = branch.get(key);
      if (!(next instanceof Map)) return undefined;
      branch = next;
    }
    const texts = branch.get(last);
    if (texts instanceof Map) return undefined;
    if (texts) texts.push(text);
    else branch.set(last, [text]);
  }
  return toTree(root);
}

function toTree(branch: Branch): TextTree {
  const entries = [...branch].map(([name, inner]) => {
    if (inner instanceof Map) return [name, toTree(inner)] as const;
    return [name, inner.length === 1 ? (inner[0] as string) : inner] as const;
  });
  return Object.fromEntries(entries);
}

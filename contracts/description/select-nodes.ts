import { JSONPathError, type JSONPathNode, jsonpath } from 'json-p3';
import { evaluatePath } from './bounded-path.ts';
import { DocumentError, type RawDocument } from './schema.ts';

/** A place in a document: the keys that lead to it, and what is there. */
export type OverlayNode = { location: readonly (string | number)[]; value: unknown };

/** What is wrong with the target of an action, as the end of a sentence; undefined if nothing is. */
export function targetProblemOf(target: string): string | undefined {
  try {
    jsonpath.compile(target);
    const unquoted = target.replace(/'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/gs, '');
    // A regular expression may take for ever.
    const [, name] = /\b(search|match)\s*\(/.exec(unquoted) ?? [];
    if (name !== undefined)
      return `has a "target" with ${name}(), which is not supported; compare with == instead`;
    return unquoted.split('..').length - 1 > maxDescendants
      ? 'has a "target" with more than two ".."; name the place more exactly'
      : undefined;
  } catch (error) {
    return `has a "target" that is no JSONPath: ${(error as Error).message}`;
  }
}

/** Each further `..` multiplies the nodes that are visited by the depth of the document. */
const maxDescendants = 2;

/** Repeated names and filters multiply nodes too, as in `$['a','a']['a','a']`. */
const maxVisited = 1_000_000;

/** What an action selects in a document. Throws {@link DocumentError}. */
export function selectNodes(
  document: RawDocument,
  { target }: { target: string },
  { file, number }: { file: string; number: number },
): OverlayNode[] {
  let visited = 0;
  const charge = (visits: number) => {
    visited += visits;
    if (visited > maxVisited)
      throw new DocumentError(
        `${file} cannot be applied: action ${number} (${target}) visits more than ${maxVisited} nodes.`,
      );
  };
  try {
    const selected = evaluatePath(target, document as JSONPathNode['value'], charge);
    return selected.map(({ location, value }) => ({ location, value }));
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    throw new DocumentError(
      `${file} cannot be applied: action ${number} (${target}) cannot be evaluated: ${error.message}.`,
    );
  }
}

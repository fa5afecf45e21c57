import { isText } from '../../common/json.ts';
import { Pattern } from '../../common/pattern.ts';
import { ownExamplesOf, type RawDocument } from '../schema.ts';

/** Whether a pattern is none, or none of the examples of the text matches it: it means another one. */
export function isIgnoredPattern(pattern: unknown, schema: RawDocument): boolean {
  if (!isText(pattern) || patternProblem(pattern) !== undefined) return true;
  const shown = ownExamplesOf(schema).filter(isText);
  if (shown.length === 0) return false;
  const expression = new Pattern(pattern);
  return !shown.some((one) => expression.test(one));
}

/** Returns why a text is no pattern; undefined if it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    new Pattern(pattern);
    return undefined;
  } catch (error) {
    const reason = (error as Error).message.replace(/^.*: /s, '');
    return `is no Unicode regular expression (${reason})`;
  }
}

import type { CredentialForm } from '../cases/case.ts';

/** One thing in which a call differs from a plain one. */
export type Change =
  /** A member of the body: another value, JSON as it stands, or none at all. */
  | { in: 'body'; at: readonly string[]; value: unknown }
  | { in: 'body'; at: readonly string[]; json: string }
  | { in: 'body'; at: readonly string[]; isRemoved: true }
  /** The whole body, as text. */
  | { in: 'text'; text: string }
  /** Another media type; none where it is empty. */
  | { in: 'type'; mediaType: string; text?: string }
  /** A parameter, as it is sent; several values are the parameter repeated. */
  | { in: 'path' | 'header'; name: string; text: string }
  | { in: 'query'; name: string; texts: readonly string[] }
  | { in: 'credential'; form: CredentialForm }
  | { in: 'method'; method: string };

/** The changes of a plain call that make another one, and their name for people. */
export type Input = { what: string; changes: readonly Change[] };

export const plainInput: Input = { what: 'plain', changes: [] };

/** An input that differs from a plain call in one thing. */
export function inputOf(what: string, change: Change): Input {
  return { what, changes: [change] };
}

/** Inputs one after the other, the first of each list before the second of any. */
export function interleave<Value>(lists: readonly (readonly Value[])[]): Value[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => (index < list.length ? [list[index] as Value] : [])),
  ).flat();
}

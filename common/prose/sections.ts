import { DocumentError } from '../cli/usage-error.ts';
import type { JsonObject } from '../json.ts';

/** Something that the interface states, in a sentence, and the ids of the clauses that hold it. */
export type Statement = { text: string; clauses: readonly string[] };

/** A section of the interface: its number without the §, such as `4.1`, and what it states. */
export type Section = { id: string; title: string; statements: readonly Statement[] };

/** A clause that the contract suite checks, by the id of its check; the source names sections. */
export type StatedClause = { id: string; source: string; text: string };

/** The sections of a document, from its `x-sections`. Throws {@link DocumentError}. */
export function toSections({ 'x-sections': nodes = [] }: JsonObject): Section[] {
  return listOf(nodes, 'x-sections').map((section, index) => {
    const at = `x-sections[${index}]`;
    const toStatement = (statement: JsonObject): Statement => ({
      text: textOf(statement, 'text', `${at}.statements`),
      clauses: listOf(statement.clauses ?? [], `${at}.statements.clauses`).map(String),
    });
    return {
      id: textOf(section, 'id', at),
      title: textOf(section, 'title', at),
      statements: listOf(section?.statements ?? [], `${at}.statements`).map(toStatement),
    };
  });
}

/** The clauses of a document, from its `x-clauses`. Throws {@link DocumentError}. */
export function toClauses({ 'x-clauses': nodes = [] }: JsonObject): StatedClause[] {
  return listOf(nodes, 'x-clauses').map((node, index) => {
    const text = (name: string) => textOf(node, name, `x-clauses[${index}]`);
    return { id: text('id'), source: text('source'), text: text('text') };
  });
}

function listOf(value: unknown, at: string): JsonObject[] {
  if (!Array.isArray(value)) throw new DocumentError(`${at} must be a list`);
  return value;
}

function textOf(node: JsonObject | null, name: string, at: string): string {
  const value: unknown = node?.[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new DocumentError(`${at}.${name} must be a text that is not empty`);
}

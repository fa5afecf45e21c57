import type { TwinClient } from './twin-client.ts';

/** A tool: a question of a developer, its arguments as JSON Schema, and its answer as text. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  properties: Readonly<Record<string, object>>;
  required?: readonly string[];
  /** Its effect on the twin or a target: none, a change, or one that may lose what is stored. */
  effect: 'reads' | 'changes' | 'destroys';
  // biome-ignore lint/suspicious/noExplicitAny: the schema of its arguments was checked.
  run: (client: TwinClient, args: any, signal: AbortSignal) => Promise<string>;
};

/** The schema of a text. */
export function text(description: string, values?: readonly string[]) {
  return { type: 'string', description, ...(values && { enum: values }) };
}

/** The schema of a whole number. */
export function whole(description: string, minimum = 0) {
  return { type: 'integer', minimum, description };
}

export function toggle(description: string) {
  return { type: 'boolean', description };
}

export function texts(description: string) {
  return { type: 'array', items: { type: 'string' }, description };
}

export const skip = whole('How many lines or items to leave out; an answer that is cut says it.');

export const operationId = text('The id of an operation, as describe_api lists it.');

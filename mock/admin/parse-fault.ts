import { parseDelay } from '../faults/delay.ts';
import type { NewFaultRule } from '../faults/fault-rules.ts';

/** What a rule may name: operations by their ids, keys by their names. */
export type FaultNames = { operations: readonly string[]; keys: readonly string[] };

/** Reads a rule whose fields fit the admin's document, or says what is wrong with them together. */
export function parseFault(body: unknown, { operations, keys }: FaultNames): NewFaultRule | string {
  const rule = body as NewFaultRule;
  const { operation, key, every, probability, status, fault, delay } = rule;
  if (operation !== undefined && !operations.includes(operation))
    return `There is no operation ${JSON.stringify(operation)}. There are ${operations.join(', ')}.`;
  if (key !== undefined && !keys.includes(key)) return `There is no key ${JSON.stringify(key)}. There are ${keys.join(', ')}.`;
  if (every !== undefined && probability !== undefined) return 'A rule has "every" or "probability", not both.';
  if (status !== undefined && fault !== undefined) return 'A rule has "status" or "fault", not both.';
  if (status === undefined && fault === undefined && delay === undefined)
    return 'A rule needs "status", "fault" or "delay", or it would do nothing.';
  const problem = delay && parseDelay(delay);
  return typeof problem === 'string' ? `"delay": ${problem}` : rule;
}

import { getHeapStatistics } from 'node:v8';
import { type Answer, noContent, toErrorAnswer } from '../answers/answer.ts';
import { toFaultBody } from '../faults/fault-body.ts';
import {
  addSizes,
  type CountedRule,
  type FaultSize,
  type NewFaultRule,
  sizeOfFault,
} from '../faults/fault-rules.ts';
import { tooManyUnread } from '../http/send-answer.ts';
import { reserveUnread } from '../http/unread-answers.ts';
import { toByteText } from '../json/byte-text.ts';
import { stringifyExact } from '../json/exact-integers.ts';
import { quote } from '../json/quote.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { isName, nameProblem } from '../sandboxes/sandbox-options.ts';
import type { Sandboxes } from '../sandboxes/sandboxes.ts';
import type { AdminCall, AdminHandlers } from './admin.ts';
import { type FaultNames, parseFault } from './parse-fault.ts';

/** The rules of a sandbox, in the order in which they are asked. */
export type FaultsView = { rules: FaultView[] };

/** A rule with its counts, its body as it was given. */
export type FaultView = Omit<CountedRule, 'body'> & { body?: unknown };

/** The maximum number of rules of a sandbox. */
const maxRules = 1000;

/** The maximum size of the bodies of all rules of a sandbox, as bytes of JSON. */
const maxBodyBytes = 1024 * 1024;

/** How much memory the rules of all sandboxes may take, in bytes: a 16th of the heap. */
const maxMemory = getHeapStatistics().heap_size_limit / 16;

/** List, add, replace and delete the faults of a sandbox. */
export function createFaultHandlers(
  names: FaultNames,
  sandboxes: Pick<Sandboxes, 'list'>,
): AdminHandlers {
  /** The refusal where there is no room for rules in place of some that take `freed`. */
  const problemOf = (
    call: AdminCall,
    rules: readonly NewFaultRule[],
    freed: FaultSize,
  ): Answer | undefined => {
    const added = addSizes(rules.map(sizeOfFault));
    if (call.sandbox.faults.size().bodies - freed.bodies + added.bodies > maxBodyBytes)
      return tooLarge;
    const taken = sandboxes
      .list()
      .reduce((sum, { sandbox }) => sum + sandbox.faults.size().memory, -freed.memory);
    if (taken + added.memory > maxMemory) return outOfRoom;
    // The answer shows the rules, their numbers to the digit, with ids and counts.
    const shown = call.bodyBytes + added.bodies + rules.length * 256;
    return reserveUnread(call.response, shown) ? undefined : tooManyUnread;
  };
  return {
    listFaults: ({ sandbox }) => toRulesAnswer(viewOf(sandbox)),
    addFault: (call) => {
      const { faults } = call.sandbox;
      const rule = parseFault(call.body, names);
      if (typeof rule === 'string') return refuse(rule);
      if (rule.id !== undefined && faults.get(rule.id))
        return refuse(
          `The id "${rule.id}" is taken. PUT /__admin/faults/${rule.id} replaces its rule.`,
        );
      if (faults.list().length >= maxRules) return tooMany;
      return problemOf(call, [rule], addSizes([])) ?? toRulesAnswer(toView(faults.put(rule)), 201);
    },
    setFaults: (call) => {
      const { faults } = call.sandbox;
      const { rules } = call.body as { rules: unknown[] };
      const parsed: NewFaultRule[] = [];
      for (const [index, given] of rules.entries()) {
        const rule = parseFault(given, names);
        if (typeof rule === 'string') return refuse(`"rules/${index}": ${rule}`);
        if (rule.id !== undefined && parsed.some(({ id }) => id === rule.id))
          return refuse(`The id "${rule.id}" is given twice.`);
        parsed.push(rule);
      }
      const problem = problemOf(call, parsed, faults.size());
      if (problem) return problem;
      faults.replace(parsed);
      return toRulesAnswer(viewOf(call.sandbox));
    },
    deleteFaults: ({ sandbox }) => {
      sandbox.faults.clear();
      return noContent;
    },
    getFault: ({ sandbox, params: { id = '' } }) => {
      const rule = sandbox.faults.get(id);
      return rule ? toRulesAnswer(toView(rule)) : notFound(id);
    },
    putFault: (call) => {
      const { id = '' } = call.params;
      const { faults } = call.sandbox;
      if (!isName(id)) return toErrorAnswer('invalid_parameter', nameProblem('fault', id));
      const rule = parseFault(call.body, names);
      if (typeof rule === 'string') return refuse(rule);
      if (rule.id !== undefined && rule.id !== id)
        return refuse(`"id" is "${rule.id}", but the path says "${id}".`);
      const before = faults.get(id);
      if (!before && faults.list().length >= maxRules) return tooMany;
      const problem = problemOf(call, [rule], before ? sizeOfFault(before) : addSizes([]));
      return problem ?? toRulesAnswer(toView(faults.put({ ...rule, id })), before ? 200 : 201);
    },
    deleteFault: ({ sandbox, params: { id = '' } }) =>
      sandbox.faults.remove(id) ? noContent : notFound(id),
  };
}

const tooMany = refuse(
  `A sandbox has at most ${maxRules} faults. Delete some with DELETE /__admin/faults/ID.`,
);

const tooLarge = refuse(
  `The bodies of all faults of a sandbox have at most ${maxBodyBytes} bytes as JSON. Delete some with DELETE /__admin/faults/ID.`,
);

const outOfRoom = toErrorAnswer(
  'out_of_room',
  `The faults of all sandboxes may take ${Math.floor(maxMemory / 1e6)} MB, and there is no room left for these. Delete what is no longer used (DELETE /__admin/faults, DELETE /__admin/sandboxes/NAME), or give the twin's Node more with --max-old-space-size.`,
);

function viewOf({ faults }: Sandbox): FaultsView {
  return { rules: faults.list().map(toView) };
}

function toView(rule: CountedRule): FaultView {
  return rule.body === undefined ? rule : { ...rule, body: toFaultBody(rule.body) };
}

/** Shows rules, whose bodies may hold integers of any size. */
function toRulesAnswer(value: unknown, status = 200): Answer {
  return { status, json: toByteText(stringifyExact(value)) };
}

function refuse(problem: string): Answer {
  return toErrorAnswer('invalid_body', problem);
}

function notFound(id: string): Answer {
  return toErrorAnswer(
    'not_found',
    `There is no fault ${quote(id)}. GET /__admin/faults lists those that exist.`,
  );
}

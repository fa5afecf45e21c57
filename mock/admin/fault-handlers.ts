import { toByteText } from '../byte-text.ts';
import type { CountedRule, NewFaultRule } from '../faults/fault-rules.ts';
import { type Answer, noContent, toErrorAnswer } from '../http/answer.ts';
import { stringifyExact } from '../http/exact-json.ts';
import { isName, nameRule } from '../sandboxes/name.ts';
import type { AdminHandlers } from './admin.ts';
import { contentLength, type FaultNames, parseFault } from './parse-fault.ts';

/** The rules of a sandbox, in the order in which they are asked. */
export type FaultsView = { rules: CountedRule[] };

/** The most rules that a sandbox has. */
const mostRules = 1000;

/** The most bytes that the contents of the rules of a sandbox have together. */
const mostContents = 1024 * 1024;

/** List, add, replace and delete the faults of a sandbox. */
export function createFaultHandlers(names: FaultNames): AdminHandlers {
  return {
    listFaults: ({ sandbox }) => toRulesAnswer({ rules: sandbox.faults.list() } satisfies FaultsView),
    addFault: ({ sandbox: { faults }, body }) => {
      const rule = parseFault(body, names);
      if (typeof rule === 'string') return refuse(rule);
      if (rule.id !== undefined && faults.get(rule.id))
        return refuse(`The id "${rule.id}" is taken. PUT /__admin/faults/${rule.id} replaces its rule.`);
      if (faults.list().length >= mostRules) return tooMany;
      return hasRoom([...faults.list(), rule]) ? toRulesAnswer(faults.put(rule), 201) : tooLarge;
    },
    setFaults: ({ sandbox: { faults }, body }) => {
      const { rules } = body as { rules: unknown[] };
      const parsed: NewFaultRule[] = [];
      for (const [index, one] of rules.entries()) {
        const rule = parseFault(one, names);
        if (typeof rule === 'string') return refuse(`"rules/${index}": ${rule}`);
        if (rule.id !== undefined && parsed.some(({ id }) => id === rule.id))
          return refuse(`The id "${rule.id}" is given twice.`);
        parsed.push(rule);
      }
      if (!hasRoom(parsed)) return tooLarge;
      faults.replace(parsed);
      return toRulesAnswer({ rules: faults.list() } satisfies FaultsView);
    },
    deleteFaults: ({ sandbox }) => {
      sandbox.faults.clear();
      return noContent;
    },
    getFault: ({ sandbox, params: { id = '' } }) => {
      const rule = sandbox.faults.get(id);
      return rule ? toRulesAnswer(rule) : notFound(id);
    },
    putFault: ({ sandbox: { faults }, params: { id = '' }, body }) => {
      if (!isName(id)) return toErrorAnswer('invalid_parameter', `A fault is named by ${nameRule}, not by "${id.slice(0, 80)}".`);
      const rule = parseFault(body, names);
      if (typeof rule === 'string') return refuse(rule);
      if (rule.id !== undefined && rule.id !== id) return refuse(`"id" is "${rule.id}", but the path says "${id}".`);
      const isNew = !faults.get(id);
      if (isNew && faults.list().length >= mostRules) return tooMany;
      if (!hasRoom([...faults.list().filter((other) => other.id !== id), rule])) return tooLarge;
      return toRulesAnswer(faults.put({ ...rule, id }), isNew ? 201 : 200);
    },
    deleteFault: ({ sandbox, params: { id = '' } }) => (sandbox.faults.remove(id) ? noContent : notFound(id)),
  };
}

const tooMany = refuse(`A sandbox has at most ${mostRules} faults. Delete some with DELETE /__admin/faults/ID.`);

const tooLarge = refuse(
  `The bodies of all faults of a sandbox have at most ${mostContents} bytes. Delete some with DELETE /__admin/faults/ID.`,
);

function hasRoom(rules: readonly NewFaultRule[]): boolean {
  let bytes = 0;
  for (const rule of rules) bytes += contentLength(rule);
  return bytes <= mostContents;
}

/** Shows rules, whose bodies may hold integers of any size. */
function toRulesAnswer(value: unknown, status = 200): Answer {
  return { status, json: toByteText(stringifyExact(value)) };
}

function refuse(problem: string): Answer {
  return toErrorAnswer('invalid_body', problem);
}

function notFound(id: string): Answer {
  return toErrorAnswer('not_found', `There is no fault "${id.slice(0, 80)}". GET /__admin/faults lists those that there are.`);
}

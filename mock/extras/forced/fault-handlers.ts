import { type Answer, noContent, toJsonAnswer } from '../../answers/answer.ts';
import { type CountedRule, type NewFaultRule, toFaultBody } from '../../faults/fault-rules.ts';
import { isName, nameProblem } from '../../sandboxes/name.ts';
import type { Sandbox } from '../../sandboxes/sandbox.ts';
import type { AdminCall, AdminHandlers } from '../admin/admin.ts';
import { refuse, refuseUnknown } from '../admin/refusal.ts';
import { type FaultNames, parseFault } from './parse-fault.ts';

/** The rules of a sandbox, in the order in which they are asked. */
export type FaultsView = { rules: FaultView[] };

/** A rule with its counts, its body as it was given. */
export type FaultView = Omit<CountedRule, 'body'> & { body?: unknown };

/** The maximum number of rules of a sandbox. */
const maxRules = 100;

/** List, add, replace and delete the faults of a sandbox. */
export function createFaultHandlers(names: FaultNames): AdminHandlers {
  /** Adds a rule, or puts it in place of one. */
  const put = (call: AdminCall, rule: NewFaultRule, before?: CountedRule): Answer => {
    const { faults } = call.sandbox;
    if (!before && faults.list().length >= maxRules)
      refuse(
        'invalid_body',
        `A sandbox has at most ${maxRules} faults. Delete some with DELETE /__admin/faults/ID.`,
      );
    return toJsonAnswer(toView(faults.put(rule)), before ? 200 : 201);
  };
  return {
    listFaults: ({ sandbox }) => toJsonAnswer(viewOf(sandbox)),
    addFault: (call) => {
      const rule = parseRule(call.body, names);
      if (rule.id !== undefined && call.sandbox.faults.get(rule.id))
        refuse(
          'invalid_body',
          `The id "${rule.id}" is taken. PUT /__admin/faults/${rule.id} replaces its rule.`,
        );
      return put(call, rule);
    },
    setFaults: (call) => {
      const { faults } = call.sandbox;
      const parsed: NewFaultRule[] = [];
      const { rules } = call.body as { rules: unknown[] };
      for (const [index, given] of rules.entries()) {
        const rule = parseRule(given, names, `"rules/${index}": `);
        if (rule.id !== undefined && parsed.some(({ id }) => id === rule.id))
          refuse('invalid_body', `The id "${rule.id}" is given twice.`);
        parsed.push(rule);
      }
      faults.replace(parsed);
      return toJsonAnswer(viewOf(call.sandbox));
    },
    deleteFaults: ({ sandbox }) => {
      sandbox.faults.clear();
      return noContent;
    },
    getFault: ({ sandbox, params: { id = '' } }) =>
      toJsonAnswer(toView(sandbox.faults.get(id) ?? notFound(id))),
    putFault: (call) => {
      const { id = '' } = call.params;
      if (!isName(id)) refuse('invalid_parameter', nameProblem('fault', id));
      const rule = parseRule(call.body, names);
      if (rule.id !== undefined && rule.id !== id)
        refuse('invalid_body', `"id" is "${rule.id}", but the path says "${id}".`);
      return put(call, { ...rule, id }, call.sandbox.faults.get(id));
    },
    deleteFault: ({ sandbox, params: { id = '' } }) =>
      sandbox.faults.remove(id) ? noContent : notFound(id),
  };
}

function parseRule(given: unknown, names: FaultNames, where = ''): NewFaultRule {
  const rule = parseFault(given, names);
  return typeof rule === 'string' ? refuse('invalid_body', where + rule) : rule;
}

function viewOf({ faults }: Sandbox): FaultsView {
  return { rules: faults.list().map(toView) };
}

function toView(rule: CountedRule): FaultView {
  return rule.body === undefined ? rule : { ...rule, body: toFaultBody(rule.body) };
}

function notFound(id: string): never {
  return refuseUnknown('fault', id, 'GET /__admin/faults lists those that exist.');
}

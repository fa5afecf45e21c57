import type { Api } from '../../openapi/index.ts';
import type { ExtraParts } from '../extra.ts';
import { localsOf } from '../http/locals.ts';
import type { Log } from '../log.ts';
import { createCallers } from './rules/callers.ts';
import { createCountStep } from './rules/counting-store.ts';
import { createErrorStep } from './rules/error-rules.ts';
import { createRulesStep } from './rules/rules-step.ts';
import { createTimeStep } from './rules/time-form.ts';
import { findWrongNames } from './rules/wrong-names.ts';

/** Returns the parts by which the rules of a document change calls; logs the names in them that are wrong. */
export function toRulesParts(document: Api, log: Pick<Log, 'warn'>): ExtraParts {
  const { rules, times } = document.hint;
  for (const sentence of findWrongNames(document)) log.warn(sentence);
  const callers = rules?.keys ? createCallers(document) : undefined;
  return {
    mountInFront(app) {
      if (!callers) return;
      app.use(async (request, response, next) => {
        await callers.find(request, localsOf(response).sandbox.store);
        next();
      });
    },
    steps: [
      {
        phase: 'around credentials',
        order: 10,
        of: () => callers && ((call, next) => (callers.of(call.request) ? {} : next(call))),
      },
      {
        phase: 'around behaviour',
        order: 35,
        of: (operation) => createCountStep(document, operation.answersAs ?? operation),
      },
      {
        phase: 'around behaviour',
        order: 40,
        of: (operation, { bind }) =>
          createRulesStep(document, operation.answersAs ?? operation, { bind, callers }),
      },
      { phase: 'before sending', order: 10, of: () => createErrorStep(document) },
      { phase: 'before sending', order: 30, of: () => createTimeStep(times) },
    ],
  };
}

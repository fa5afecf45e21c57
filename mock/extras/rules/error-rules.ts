import type { AnswerRule, Api, Operation } from '../../../openapi/index.ts';
import type { Answer, AnsweredError } from '../../answers/answer.ts';
import type { Step } from '../../call/steps.ts';
import { localsOf } from '../../http/locals.ts';
import { type FoundItem, fieldsOf } from '../../items/stored-item.ts';
import { withoutHidden } from '../../state/scopes.ts';
import { itemsInPath } from './items-at.ts';
import { toAnswer } from './rule-answers.ts';
import { serverOf } from './rules-step.ts';

/** Creates the step that answers errors as rules say, by their codes: those of the operation first. */
export function createErrorStep(document: Api): Step<'before sending'> {
  return (sending, next) => {
    const { response, answer, reason } = sending;
    const error = 'text' in answer ? undefined : (answer.error ?? answer.shapedFrom);
    const locals = localsOf(response);
    const rule = error && findRule(error, locals.operation, document.hint.rules?.errors);
    if (!error || !rule) return next(sending);
    const { request, query = {}, sandbox, operation } = locals;
    const [first] = error.problems ?? [];
    const name = first?.name ?? first?.pointer.split('/').slice(1).join('.');
    const finish = (item?: FoundItem) => {
      const made = toAnswer(
        { ...rule, status: rule.status ?? answer.status },
        {
          ...{ now: sandbox.clock.now(), random: sandbox.random },
          item: item && fieldsOf(withoutHidden(item.json)),
          ...{ path: request.params, query, body: request.body },
          server: serverOf(document, request),
          error: { ...error, name, problem: first?.problem },
        },
      );
      const { headers = {}, overrides = {} } = answer as Answer;
      const whole =
        rule.body === undefined ? { ...answer, status: made.status } : { ...made, headers };
      next({
        ...sending,
        answer: { ...whole, overrides: { ...overrides, ...made.overrides } } as Answer,
        reason: { ...reason, error: error.code, xTwin: 'errors' },
      });
    };
    const isOfItem = error.code === 'precondition_failed' && operation !== undefined;
    const { item } = isOfItem ? itemsInPath(document, operation) : {};
    if (!item) return finish();
    const params = request.params as Record<string, string>;
    item.find(sandbox.store, params).then(finish, () => finish());
  };
}

function findRule(
  { code }: AnsweredError,
  operation: Operation | undefined,
  ofAll: Readonly<Record<string, AnswerRule>> | undefined,
): AnswerRule | undefined {
  const own = operation?.rules?.errors ?? {};
  if (Object.hasOwn(own, code)) return own[code];
  return ofAll && Object.hasOwn(ofAll, code) ? ofAll[code] : undefined;
}

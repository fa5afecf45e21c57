import {
  absent,
  evaluateAll,
  Moment,
  parseExpression,
  type Scope,
} from '../../../common/expression.ts';
import { headerValues } from '../../../common/http/header-values.ts';
import { isObject, stringifyExact } from '../../../common/json.ts';
import { eachElement, valueIn } from '../../../common/property-path.ts';
import type { AnswerRule, Members, Operation, Rules } from '../../../openapi/index.ts';
import { type Answer, bodyOf, isolated, type TextAnswer } from '../../answers/answer.ts';
import { withRules } from '../../items/member-rules.ts';
import { noBytes, toByteText } from '../../json/exact-json.ts';
import type { CallScope } from './adjusting-store.ts';

/** The items in an answer. */
export function itemsOf(answer: Answer | TextAnswer, { itemsAt = [] }: Operation): unknown[] {
  return [valueIn(bodyOf(answer), itemsAt)].flat();
}

/** An answer with other values of its own members, and of those of its items. */
export function toShown(
  answer: Answer | TextAnswer,
  { itemsAt = [], rules }: Operation,
  {
    scope,
    shows,
    values,
  }: { scope: Scope; shows: Members | undefined; values: Members | undefined },
): Answer | TextAnswer {
  const value = shows || values ? bodyOf(answer) : undefined;
  if ('text' in answer || typeof value !== 'object') return answer;
  const show = (one: unknown, members: Members | undefined): unknown => {
    if (Array.isArray(one)) return one.map((inner) => show(inner, members));
    return isObject(one) && members
      ? withRules(one, members, {
          scope: { ...scope, item: one },
          isFormedLater: rules?.times !== undefined,
        })
      : one;
  };
  const items = show(valueIn(value, itemsAt), shows);
  const held = itemsAt.length === 0 ? items : withIn(value, itemsAt, items);
  const shown = Array.isArray(held) ? held : show(held, values);
  return { ...answer, json: toByteText(stringifyExact(shown) ?? 'null') };
}

function withIn(value: unknown, [key = '', ...keys]: readonly string[], inner: unknown): unknown {
  if (key === eachElement && Array.isArray(value) && Array.isArray(inner))
    return value.map((one, index) => withIn(one, keys, inner[index]));
  if (!isObject(value)) return value;
  return { ...value, [key]: keys.length === 0 ? inner : withIn(value[key], keys, inner) };
}

/** An answer with the body and the headers of a rule in the place of its own, if there are any. */
export function withRule(
  answer: Answer | TextAnswer,
  { body, headers }: Pick<Rules, 'body' | 'headers'>,
  scope: CallScope & { item: unknown },
): Answer | TextAnswer {
  if (body === undefined && headers === undefined) return answer;
  const made = toAnswer({ status: answer.status, body, headers: headers ?? {} }, scope);
  if ('text' in answer) {
    const [mediaType] = headerValues(made.overrides, 'content-type');
    const isOther = body === undefined && typeof mediaType === 'string';
    return isOther ? isolated({ ...answer, mediaType }) : body === undefined ? answer : made;
  }
  const overrides = { ...answer.overrides, ...made.overrides };
  return { ...answer, ...(body !== undefined && { json: made.json }), overrides };
}

/** The answer of a rule, whose body may name what the call has. */
export function toAnswer(
  { status = 400, body, headers }: AnswerRule,
  scope: CallScope & { item: unknown },
): Answer {
  const value = body === '{item}' ? scope.item : evaluateAll(body, scope);
  const json = value === undefined ? noBytes : toByteText(stringifyExact(value) ?? 'null');
  const fields = Object.entries(headers ?? {}).map(([name, one]) => {
    const { evaluate } = parseExpression(one);
    const value = evaluate(scope);
    const time = value instanceof Moment ? new Date(value.milliseconds) : undefined;
    // HTTP has its own form of times (RFC 9110 §5.6.7).
    const isOfHttp = /^(last-modified|expires|date)$/i.test(name);
    const made = isOfHttp ? (time?.toUTCString() ?? value) : (time?.toISOString() ?? value);
    return [name, made === absent || made === undefined ? [] : String(made)] as const;
  });
  return { status, json, ...(headers && { overrides: Object.fromEntries(fields) }) };
}

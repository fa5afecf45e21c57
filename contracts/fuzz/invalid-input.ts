import { valueIn } from '../../common/property-path.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { findIn } from '../../openapi/model/responses.ts';
import { isInProse } from '../document/stated.ts';
import { sentValue } from '../transcript/exchange.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import { isSuccess, type PlayedStep, statusOf } from './player.ts';
import type { Change } from './subject.ts';
import { readBack } from './to-case.ts';

/** Finds an input that an operation took although it breaks a rule of the document. */
export function findTaken({ document, one }: { document: Api; one: PlayedStep }) {
  const { subject, input } = one.step;
  const [change] = input.changes;
  if (!change || input.changes.length > 1 || !isSuccess(one)) return undefined;
  const { operation } = subject;
  const place =
    change.in === 'query'
      ? brokenQuery(document, operation, change)
      : brokenPlace(document, one, change);
  if (place === undefined) return undefined;
  return {
    key: `${operation.id} ${place.key}`,
    message: `${operation.id} answers ${statusOf(one)} to an invalid input (${input.what})`,
    expected: `a refusal: ${place.problem}`,
    isStated: [400, 422].some((status) => findIn(operation.responses, status)),
  };
}

type BrokenPlace = { key: string; problem: string } | undefined;

/** The rule of the schema that a body breaks, unless servers may read the value as another one. */
function brokenPlace(
  document: Api,
  { step: { subject }, exchange }: PlayedStep,
  change: Change,
): BrokenPlace {
  const { purpose } = exchange.case;
  const { body, operation } = subject;
  const isInvalid = purpose.kind === 'fuzz' && purpose.isInvalid === true;
  if (!body || !isInvalid || !['body', 'text'].includes(change.in)) return undefined;
  if (change.in === 'text') {
    const isWorn = change.text === '' || change.text.startsWith('\ufeff') || change.text === '{}';
    const isAsked = operation.body?.required === true && !isWorn;
    return isAsked ? { key: 'body', problem: 'the body breaks its schema' } : undefined;
  }
  if (change.in !== 'body') return undefined;
  const sent = sentValue(exchange);
  if (sent === undefined) return { key: `${change.at} syntax`, problem: 'the body is no JSON' };
  if ('json' in change) return undefined;
  const place = body.places.find(({ at }) => at.join('.') === change.at.join('.'));
  const schema = document.schemas.resolve(place?.schema ?? {});
  const value = body.form ? readBack(document, body.form, sent) : sent;
  const inner = body.form ? valueIn(value, change.at) : 'value' in change && change.value;
  if ('value' in change && mayBeRead(schema.type, schema.format, inner, document)) return undefined;
  const [problem] = compileSent(document, body.schema)(value);
  return problem && { key: change.at.join('.'), problem: problem.problem };
}

/** Whether a server may read a value as one of a type: null as absent, 1 as true, a text of a format. */
function mayBeRead(type: unknown, format: unknown, value: unknown, { hint }: Api): boolean {
  const types = [type].flat();
  if (value === null) return hint.requests !== 'strict';
  if (types.includes('boolean') || typeof value === 'boolean') return true;
  return typeof value === 'string' && (format !== undefined || value.trim() === '');
}

/** The parameter whose type a word breaks; what a list does with numbers beyond its bounds is left open. */
function brokenQuery(
  document: Api,
  { parameters }: Operation,
  { name, texts }: Extract<Change, { in: 'query' }>,
): BrokenPlace {
  const described = parameters.find((one) => one.in === 'query' && one.name === name);
  if (!described || texts.join() !== 'abc' || isInProse(document)) return undefined;
  const schema = document.schemas.resolve(described.schema);
  const isTyped = ['integer', 'number'].some((type) => [schema.type].flat().includes(type));
  const isListed = schema.enum !== undefined && ![schema.type].flat().includes('array');
  return isTyped || isListed
    ? { key: `?${name}`, problem: `"abc" does not fit the schema of ${name}` }
    : undefined;
}

import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'express';
import { isSuccess } from '../../common/success.ts';
import type { Api, Content, Operation } from '../../openapi/index.ts';
import { isJsonContent, toSentType } from '../../openapi/model/content.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import { answerSourceOf } from '../documented/answer-source.ts';
import { findSuccess } from '../documented/responses.ts';
import { parseExact, toByteText, toText } from '../json/exact-json.ts';
import { makerOf } from '../json/make-fitting.ts';
import { withContent } from './with-content.ts';

/**
 * The contents of a success that are not its first JSON, or else its first content, in other words, by
 * their media types: what has examples or a schema of its own. What is stored is written as XML, too.
 */
export function findVariants({ schemas }: Api, operation: Operation): ReadonlyMap<string, Content> {
  const { contents = [] } = findSuccess(operation) ?? {};
  const primary = schemas.jsonContentOf(contents) ?? contents[0];
  if (!primary || contents.length < 2) return new Map();
  const isStored = hasState(operation);
  const isVariant = (content: Content) => {
    const { examples, schema, isText, isXml } = content;
    const isAnswered = isJsonContent(content) || isText || !isStored;
    const isShown = Object.values(examples).some((one) => isAnswered || typeof one === 'string');
    if (isStored && (isXml || (isJsonContent(content) && !schema))) return false;
    return (
      (isShown && !isDeepStrictEqual(examples, primary.examples)) ||
      (isAnswered && schema !== undefined && !isDeepStrictEqual(schema, primary.schema))
    );
  };
  const variants = contents.filter((one) => one !== primary && isVariant(one));
  return new Map(variants.map((one) => [toSentType(one), one]));
}

/**
 * Answers with the content that a request accepts. What is stored has what it is stored with, and
 * what else its schema there requires.
 */
export function withVariants(
  behaviour: Behaviour,
  {
    document,
    operation,
    variants,
    accepted,
    bind,
  }: {
    document: Api;
    operation: Operation;
    variants: ReadonlyMap<string, Content>;
    /** The media type that a request accepts best. */
    accepted: (request: Request) => string | false;
    bind: (operation: Operation) => Behaviour;
  },
): Behaviour {
  const success = findSuccess(operation);
  if (variants.size === 0 || !success) return behaviour;
  const made = new Map<Content, Behaviour>();
  const make = makerOf(document);
  const create = (content: Content): Behaviour => {
    const own = withContent(operation, success, content);
    const { schema } = content;
    if (!hasState(operation)) return bind(own);
    if (!isJsonContent(content)) {
      const show = bind(withoutState(own));
      return async (call) => {
        const answer = await behaviour(call);
        const { headers } = answer;
        return isSuccess(answer) ? { ...(await show(call)), ...(headers && { headers }) } : answer;
      };
    }
    const inner = bind(own);
    if (!schema) return inner;
    return async (call) => {
      const answer = await inner(call);
      if (!('json' in answer) || answer.json === '' || !isSuccess(answer)) return answer;
      const { value } = parseExact(toText(answer.json));
      const fitting = make(schema, { seed: 1, examples: [value] });
      return fitting ? { ...answer, json: toByteText(fitting.text) } : answer;
    };
  };
  return (call) => {
    const content = variants.get(accepted(call.source as Request) || '');
    if (!content) return behaviour(call);
    const own = made.get(content) ?? create(content);
    made.set(content, own);
    return own(call);
  };
}

/** Returns an operation that answers as the document says, whatever is stored. */
function withoutState(operation: Operation): Operation {
  const { kind: _kind, singleton: _singleton, answersAs: _answersAs, ...others } = operation;
  const { actsOn: _actsOn, part: _part, sets: _sets, ...more } = others;
  const { stamps: _stamps, takes: _takes, ...plain } = more;
  return plain;
}

function hasState(operation: Operation): boolean {
  return ['store', 'item'].includes(answerSourceOf(operation));
}

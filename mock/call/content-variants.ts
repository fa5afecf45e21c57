import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'express';
import { oncePer } from '../../common/once-per.ts';
import { isSuccess } from '../../common/success.ts';
import type { Api, Content, Operation } from '../../openapi/index.ts';
import { findResource } from '../../openapi/model/api.ts';
import { isJsonContent } from '../../openapi/model/content.ts';
import { bodyOf } from '../answers/answer.ts';
import type { Behaviour } from '../behaviours/behaviour.ts';
import { hasState } from '../documented/answer-source.ts';
import { findSuccess, withContent } from '../documented/responses.ts';
import { sequencesOf } from '../documented/sequences.ts';
import { toByteText } from '../json/exact-json.ts';
import { makerOf } from '../json/make-fitting.ts';

/** Finds the content that is sent by default: JSON, else the first one with an example, else the first. */
export function primaryOf({ schemas }: Api, contents: readonly Content[]): Content | undefined {
  const isShown = ({ examples }: Content) =>
    Object.values(examples).some((one) => typeof one === 'string');
  return schemas.jsonContentOf(contents) ?? contents.find(isShown) ?? contents[0];
}

/**
 * Finds the contents of a success that are not its first JSON, or else its first content, in other
 * words: what has examples or a schema of its own. What is stored is written as XML and in sequences, too.
 */
export function findVariants(document: Api, operation: Operation): ReadonlySet<Content> {
  const success = findSuccess(operation);
  const { contents = [] } = success ?? {};
  const primary = primaryOf(document, contents);
  if (!success || !primary || contents.length < 2) return new Set();
  const sequences = sequencesOf(success).map(({ content }) => content);
  const isStored = hasState(operation);
  const isWritten = isStored || isJsonContent(primary) || primary.isXml;
  const isVariant = (content: Content) => {
    const { examples, schema, isText, isXml } = content;
    if (sequences.includes(content)) return !isWritten;
    const isJson = isJsonContent(content);
    const isAnswered = isJson || isText || schema === undefined || !isStored;
    const isShown = Object.values(examples).some((one) => isAnswered || typeof one === 'string');
    if (isStored && (isXml || (isJson && !schema))) return false;
    const isOtherSchema = !isDeepStrictEqual(schema, primary.schema);
    const isOtherExample = !isDeepStrictEqual(examples, primary.examples);
    if (schema === undefined && !isJson) return isOtherSchema || isOtherExample;
    return (isShown && isOtherExample) || (isAnswered && schema !== undefined && isOtherSchema);
  };
  return new Set(contents.filter((one) => one !== primary && isVariant(one)));
}

/**
 * Answers with the accepted content. Stored data keeps its members, and gets the others that the
 * content's schema requires.
 */
export function withVariants(
  behaviour: Behaviour,
  {
    document,
    operation,
    variants,
    choose,
    bind,
  }: {
    document: Api;
    operation: Operation;
    variants: ReadonlySet<Content>;
    /** Returns the content that a request accepts best. */
    choose: (request: Request) => Content | undefined;
    bind: (operation: Operation) => Behaviour;
  },
): Behaviour {
  const success = findSuccess(operation);
  const isStored = hasState(operation);
  // A text beside what is stored is sent in its place.
  const isMade = (one: Content) => variants.has(one) && (!isStored || isJsonContent(one));
  if (!success || ![...variants].some(isMade)) return behaviour;
  const list = operation.listRules && findResource(document, operation);
  const make = makerOf(document);
  const behaviourOf = oncePer((content: Content): Behaviour => {
    const own = withContent(operation, success, content);
    if (list) own.listRules = document.schemas.findListRules(own, list.item);
    const { schema } = content;
    const inner = bind(own);
    if (!isStored || !schema) return inner;
    return async (call) => {
      const answer = await inner(call);
      if (!('json' in answer) || answer.json === '' || !isSuccess(answer)) return answer;
      const fitting = make(schema, { seed: 1, examples: [bodyOf(answer)] });
      return fitting ? { ...answer, json: toByteText(fitting.text) } : answer;
    };
  });
  return (call) => {
    const content = choose(call.source as Request);
    return content && isMade(content) ? behaviourOf(content)(call) : behaviour(call);
  };
}

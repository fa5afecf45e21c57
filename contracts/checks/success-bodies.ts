import { isStatedSuccess, statedSchema } from '../description/stated.ts';
import type { Answered } from '../transcript/exchange.ts';
import type { SchemaProblem } from '../transcript/schema/problems.ts';
import { answersOfOperations, type Transcript } from '../transcript/transcript.ts';

/**
 * The answers with a stated success status and a described body, each with what is wrong with the
 * body.
 */
export function successBodies(
  transcript: Transcript,
): { exchange: Answered; problems: SchemaProblem[] }[] {
  return answersOfOperations(transcript).flatMap((exchange) => {
    const { case: testCase, response } = exchange;
    const { operation } = testCase;
    const { status, json } = response;
    if (!operation || testCase.method === 'HEAD' || response.unjudged !== undefined) return [];
    if (!isStatedSuccess(operation, status) || !statedSchema(operation, status)) return [];
    return [{ exchange, problems: transcript.validators.find(operation, status)?.(json) ?? [] }];
  });
}

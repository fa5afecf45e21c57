import type { Operation, Parameter } from '../../../contracts/description/document.ts';
import { type Answer, toStatedErrorAnswer } from '../../answers/answer.ts';
import type { WrongParameter } from '../parse-query.ts';
import type { ParameterProblem } from './read-parameters.ts';

/** How many problems a message names. */
const maxNamed = 5;

const inWords: Readonly<Record<Parameter['in'], string>> = {
  query: 'Query parameter',
  path: 'Path parameter',
  header: 'Header parameter',
  cookie: 'Cookie parameter',
  querystring: 'Query string',
};

/**
 * The answer to wrong parameters, of which the message names the first five. One in the path makes
 * it a 404 where the operation describes that and no status for wrong parameters.
 */
export function toParametersRefusal(
  problems: readonly ParameterProblem[],
  { operation, status }: { operation: Operation; status: number },
): { refusal: Answer; wrong: WrongParameter } {
  const [first] = problems as [ParameterProblem];
  const { in: place } = first.parameter;
  const sentences = problems
    .slice(0, maxNamed)
    .map(({ parameter, sentence }) => `${inWords[parameter.in]} ${sentence}`);
  const more = problems.length - maxNamed;
  if (more > 0) sentences.push(`There are ${more} more problems.`);
  const isNotFound =
    place === 'path' && states(operation, '404') && !states(operation, String(status));
  const all = problems.map((one) => ({
    in: one.parameter.in,
    name: sentName(one),
    pointer: one.pointer,
    problem: one.sentence,
  }));
  const refusal = isNotFound
    ? toStatedErrorAnswer('not_found', sentences.join(' '))
    : toStatedErrorAnswer('invalid_parameter', sentences.join(' '), status, all);
  return {
    refusal,
    wrong: {
      parameter: sentName(first),
      problem: first.sentence.replace(/^"[^"]*" /, '').replace(/\.$/, ''),
      ...(place !== 'query' && { in: place }),
    },
  };
}

/** The name of a parameter as it is sent, such as `filter[age]`. */
function sentName({ parameter, sentence }: ParameterProblem): string {
  return /^"([^"]*)"/.exec(sentence)?.[1] ?? parameter.name;
}

function states({ responses }: Operation, status: string): boolean {
  return responses.some((one) => one.status === status);
}

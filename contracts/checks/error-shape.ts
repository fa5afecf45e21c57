import { type Check, called, clauseOf, shownBody, toWrongBody } from '../clauses/check.ts';
import {
  type ApiDocument,
  describeSchema,
  resolveSchema,
  type Schema,
} from '../description/document.ts';
import { isStatedError, statedSchema } from '../description/stated.ts';
import { membersOf } from '../json.ts';
import { answersOfOperations } from '../transcript/transcript.ts';

const members = { code: 'string', message: 'string', status: 'number' } as const;

/**
 * A stated error has the Error object as its body: code and message are texts, status is an
 * integer.
 */
export const errorShape: Check = {
  id: 'error-shape',
  clause: clauseOf('error-shape'),
  unheld: 'no error was received whose body is described',
  cases: ['invalid-create', 'credential', 'unknown-id'],
  needs: 'a schema of an error',
  general: 'The body of a stated error matches its schema.',
  part: 'body',
  judge(transcript, judge) {
    for (const exchange of answersOfOperations(transcript)) {
      const {
        case: { operation, method },
        response,
      } = exchange;
      if (
        !operation ||
        method === 'HEAD' ||
        response.unjudged !== undefined ||
        !isStatedError(operation, response.status)
      )
        continue;
      const schema = statedSchema(operation, response.status);
      if (!schema) continue;
      const problems =
        transcript.validators.find(operation, response.status)?.(response.json) ?? [];
      const answers = `${called(exchange)} answers ${response.status} with a body that`;
      if (!isErrorObject(transcript.document, schema)) {
        judge.hold(problems.length === 0, exchange, () => ({
          ...toWrongBody(`${answers} breaks its schema`, response, problems),
          group: `${answers} ${problems.map(({ kind }) => kind)}`,
        }));
        continue;
      }
      const wrong = wrongMember(response.json);
      judge.hold(wrong === undefined, exchange, () => ({
        ...toWrongBody(`${answers} is not an Error`, response, problems),
        expected: '{"code": string, "message": string, "status": integer}',
        actual: shownBody(response),
        group: `${answers} is not an Error: ${wrong}`,
      }));
    }
  },
};

/** Whether a schema asks for just what an Error has. */
function isErrorObject(document: ApiDocument, schema: Schema): boolean {
  const { properties, required } = describeSchema(document, schema);
  const names = Object.keys(members);
  if (Object.keys(properties).length !== names.length) return false;
  return names.every((name) => {
    const type = name === 'status' ? 'integer' : 'string';
    return required.includes(name) && resolveSchema(document, properties[name] ?? {}).type === type;
  });
}

function wrongMember(json: unknown): string | undefined {
  const sent = Array.isArray(json) ? undefined : membersOf(json);
  if (!sent) return 'it is not a JSON object';
  for (const [name, type] of Object.entries(members)) {
    const { [name]: value } = sent;
    if (!Object.hasOwn(sent, name)) return `"${name}" is missing`;
    if (typeof value !== type || (type === 'number' && !Number.isInteger(value)))
      return `"${name}" is not ${type === 'number' ? 'an integer' : `a ${type}`}`;
  }
  return undefined;
}

import { isObject } from '../../common/json.ts';
import { oncePer } from '../../common/once-per.ts';
import { isSuccess } from '../../common/success.ts';
import type { Api, Operation, ResponseDescription } from '../../openapi/index.ts';
import { heldSchemaOf } from '../../openapi/model/content.ts';
import type { ReceivedResponse } from '../transcript/exchange.ts';
import { compileAnswer } from '../transcript/schema/validator.ts';

/** How a call ended. A redirect, and no answer, are neither. */
export type Outcome = 'success' | 'refusal' | 'neither';

type Answer = Pick<ReceivedResponse, 'status' | 'json'>;

/**
 * Creates a test for how a call ended, as its answer says: a status from 400 on refuses it, and so
 * does the body of an error in an answer of 2xx, such as `{"ok": false, "error": "name_taken"}`. It
 * has a member that errors alone have, and none that successes alone have: of many documents, any
 * object fits an error, and some success does not fit its own schema.
 */
export function createToOutcome(
  document: Api,
): (answer: Answer | undefined, operation: Operation | undefined) => Outcome {
  const fits = (json: unknown, one: ResponseDescription) => {
    const schema = heldSchemaOf(one);
    return schema !== undefined && compileAnswer(document, schema)(json).length === 0;
  };
  const namesOf = (all: readonly ResponseDescription[]) =>
    new Set(
      all.flatMap((one) =>
        Object.keys(document.schemas.describeSchema(heldSchemaOf(one) ?? {}).properties),
      ),
    );
  /** The answers of an operation, and the members that errors or successes alone have. */
  const describe = oncePer(({ responses }: Operation) => {
    const successes = responses.filter(isSuccess);
    const errors = responses.filter((one) => !isSuccess(one));
    const [ofSuccess, ofError] = [namesOf(successes), namesOf(errors)];
    const ofErrors = ofError.difference(ofSuccess);
    return { successes, errors, ofErrors, ofSuccesses: ofSuccess.difference(ofError) };
  });
  return (answer, operation) => {
    const { status = 0, json } = answer ?? {};
    if (status >= 400) return 'refusal';
    if (status < 200 || status > 299) return 'neither';
    if (!isObject(json) || !operation) return 'success';
    const { successes, errors, ofErrors, ofSuccesses } = describe(operation);
    const shown = Object.keys(json).filter((name) => json[name] !== null);
    const isOfError = shown.some((name) => ofErrors.has(name));
    const isOfSuccess = shown.some((name) => ofSuccesses.has(name));
    const isError = isOfError && !isOfSuccess && errors.some((one) => fits(json, one));
    return isError && !successes.some((one) => fits(json, one)) ? 'refusal' : 'success';
  };
}

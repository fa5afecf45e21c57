import { parseJson } from '../json.ts';
import type { Answered } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { type Reader, type Source, toCommonForm, varied, withoutStatus } from './reading.ts';

/** The answers to each mistake that the interface states, by the code that the twin has for it. */
function statedErrors({ transcript }: Source): Record<string, Answered[]> {
  const refused = (status: number) => (one: Answered) => one.response.status === status;
  const invalid = answeredFor(transcript, 'invalid-create').filter(refused(400));
  const isJson = ({ request }: Answered) => parseJson(String(request.body ?? '')) !== undefined;
  const credentials = answeredFor(transcript, 'credential').filter(refused(401));
  const forms = (isMissing: boolean) =>
    credentials.filter(
      ({ case: { purpose } }) =>
        ['none', 'in-query', 'in-header', 'in-cookie'].includes(purpose.form) === isMissing,
    );
  return {
    missing_api_key: forms(true),
    invalid_api_key: forms(false),
    invalid_body: invalid.filter(isJson),
    malformed_json: invalid.filter((one) => !isJson(one)),
    not_found: answeredFor(transcript, 'unknown-id').filter(refused(404)),
  };
}

export const readErrorCodes: Reader = (source) => {
  const answers: Record<string, unknown> = {};
  const reasons: string[] = [];
  const errors = Object.entries(statedErrors(source)).filter(([, { length }]) => length > 0);
  for (const [code, answered] of errors) {
    const form = toCommonForm(answered);
    if (form) answers[code] = withoutStatus(form);
    else reasons.push(`${code}: ${varied(answered).reason}`);
  }
  if (errors.length === 0) return undefined;
  return {
    ...(Object.keys(answers).length > 0 && { answer: answers }),
    shown: errors.flatMap(([, answered]) => answered),
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
  };
};

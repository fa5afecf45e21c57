import { parseJson } from '../json.ts';
import type { Answered } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';
import {
  countParts,
  type Form,
  type Reader,
  type Source,
  shortForm,
  toCommonForm,
  toForm,
  varied,
  withoutStatus,
} from './reading.ts';

/** The answers to each mistake that the interface states, by the code that the twin has for it. */
function statedErrors(source: Source): Record<string, Answered[]> {
  const { transcript } = source;
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

type FormOf = readonly [name: string, { form: Form; those: readonly Answered[] }];

/**
 * The form of an error by its code, and by its code and an operation where that has another;
 * undefined where one operation has several.
 */
function toForms(code: string, answered: readonly Answered[]): FormOf[] | undefined {
  const common = toCommonForm(answered);
  if (common) return [[code, { form: common, those: answered }]];
  const looks = Map.groupBy(answered, (one) => shortForm(toForm(one)));
  const [most = [], ...others]: (readonly Answered[])[] = [...looks.values()].toSorted(
    (left, right) => right.length - left.length,
  );
  const operationOf = ({ case: { operation } }: Answered) => operation?.id;
  const form = toCommonForm(most);
  const isOfMost = new Set(most.map(operationOf));
  const byOperation = [...Map.groupBy(others.flat(), operationOf)];
  const own = byOperation.map(([operation, those]) => {
    const isOwn = operation !== undefined && !isOfMost.has(operation) && those.length > 1;
    const ownForm = isOwn ? toCommonForm(those) : undefined;
    return ownForm && ([`${code} ${operation}`, { form: ownForm, those }] as const);
  });
  const found = own.filter((one) => one !== undefined);
  if (!form || most.length < 2 || found.length < own.length) return undefined;
  return [[code, { form, those: most }], ...found];
}

export const readErrorCodes: Reader = (source) => {
  const answers: Record<string, unknown> = {};
  const shown: Answered[] = [];
  const seen: Record<string, readonly Answered[]> = {};
  const reasons: string[] = [];
  for (const [code, answered] of Object.entries(statedErrors(source))) {
    if (answered.length === 0) continue;
    shown.push(...answered);
    const forms = toForms(code, answered);
    if (!forms) reasons.push(`${code}: ${varied(answered).reason}`);
    for (const [name, { form, those }] of forms ?? []) {
      answers[name] = withoutStatus(form);
      seen[name] = those;
    }
  }
  if (shown.length === 0) return undefined;
  return {
    ...(Object.keys(seen).length > 0 && { answer: answers, parts: countParts(seen) }),
    shown,
    ...(reasons.length > 0 && { reason: reasons.join('; ') }),
  };
};

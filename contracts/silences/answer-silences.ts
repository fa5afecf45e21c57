import { parseJson } from '../../common/json.ts';
import { quotaOf } from '../limits/quota.ts';
import { type Answer, headerValue } from '../transcript/exchange.ts';
import { itemsIn, sentFields } from '../transcript/items.ts';
import { answeredFor } from '../transcript/transcript.ts';
import {
  allAnswers,
  probesOf,
  type Reader,
  readParts,
  shapeOf,
  toCommonForm,
  toForm,
  toShortest,
  validCreates,
  varied,
  withoutStatus,
  withoutValues,
} from './reading.ts';

const idFaults: Readonly<Record<string, string>> = {
  abc: 'text',
  '9223372036854775808': 'beyond',
};

const readIdForm: Reader = (source) => {
  const probes = [...probesOf(source, 'pet-id-form')].filter(([probe]) => idFaults[probe]);
  const parts = Object.fromEntries(
    probes.map(([probe, answered]) => [
      idFaults[probe] ?? '',
      answered.filter(({ response }) => response.status >= 400),
    ]),
  );
  return readParts(parts);
};

/** The answers to each mistake that the interface states, by the code that the twin has for it. */
const readErrorCodes: Reader = ({ transcript }) => {
  const refused = (status: number) => (one: Answer) => one.response.status === status;
  const invalid = answeredFor(transcript, 'invalid-create').filter(refused(400));
  const isJson = ({ request }: Answer) => parseJson(String(request.body ?? '')) !== undefined;
  const credentials = answeredFor(transcript, 'credential').filter(refused(401));
  const forms = (isMissing: boolean) =>
    credentials.filter(
      ({ case: { purpose } }) =>
        ['none', 'in-query', 'in-header', 'in-cookie'].includes(purpose.form) === isMissing,
    );
  const errors = {
    missing_api_key: forms(true),
    invalid_api_key: forms(false),
    invalid_body: invalid.filter(isJson),
    malformed_json: invalid.filter((one) => !isJson(one)),
    not_found: answeredFor(transcript, 'unknown-id').filter(refused(404)),
  };
  return readParts(errors, withoutStatus);
};

const readOrdersPayload: Reader = ({ transcript, withExamples }) => {
  const shown = answeredFor(transcript, 'call');
  const shapes = new Set(shown.map((one) => shapeOf(toForm(one).json ?? null)));
  const form = toCommonForm(shown);
  if (!form || shapes.size > 1) return varied(shown);
  if (form.json === undefined || withExamples) return { answer: toShortest(form), shown };
  return { answer: { ...form, json: withoutValues(form.json) }, shown };
};

const earlyChecks: Readonly<Record<string, string>> = {
  'without a key, an invalid body': 'body',
  'without a key, an unknown id': 'id',
  'without a key, an invalid limit': 'query',
};

const readCredentialsFirst: Reader = (source) => {
  const probes = probesOf(source, 'credentials-first');
  const shown = [...probes.values()].flat();
  const early = [...probes].flatMap(([probe, answered]) =>
    answered.every(({ response }) => response.status !== 401) ? [earlyChecks[probe]] : [],
  );
  const reason =
    early.length === 0
      ? 'the key is checked first'
      : `before the key: ${early.toSorted().join(', ')}`;
  return { shown, reason };
};

const readHeadAndOptions: Reader = (source) => {
  const heads = answeredFor(source.transcript, 'protocol').filter(
    ({ case: { purpose } }) => purpose.rule === 'head',
  );
  const form = toCommonForm(heads);
  const isAsGet = heads.every(({ response }) => response.status === 200);
  const crossing = [...(probesOf(source, 'head-and-options').get('from another origin') ?? [])];
  const isAllowed = (one: Answer) => headerValue(one, 'Access-Control-Allow-Origin') !== undefined;
  const plain = allAnswers(source).filter(({ case: { operation } }) => operation !== undefined);
  const isAlways = plain.length > 0 && plain.every(isAllowed);
  const cors = isAlways
    ? 'always'
    : crossing.length > 0
      ? crossing.every(isAllowed)
        ? 'with-origin'
        : 'none'
      : undefined;
  const shown = [...heads, ...crossing];
  return {
    answer: {
      ...(heads.length > 0 && isAsGet && { head: 'as-get' }),
      ...(heads.length > 0 && !isAsGet && form && { head: toShortest(form) }),
      ...(cors && { cors }),
    },
    shown,
  };
};

const maxItems = 100;

const readFurtherMembers: Reader = (source) => {
  const { transcript, resource, withExamples } = source;
  const shown = answeredFor(transcript, 'list', 'read', 'create').filter(
    ({ response }) => response.status < 300,
  );
  const all = shown.flatMap(itemsIn);
  const items = all.filter((_, index) => index % Math.ceil(all.length / maxItems) === 0);
  // What the run itself sent and the target stores is part of unknown-body-field.
  const sent = validCreates(source).flatMap((one) => Object.keys(sentFields(one)));
  const described = new Set([...Object.keys(resource.item.properties), ...sent]);
  if (items.length === 0) return undefined;
  const further = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !described.has(name))),
  );
  const names = new Set(further.flatMap((one) => Object.keys(one)));
  const steady = [...names].filter((name) => further.every((one) => Object.hasOwn(one, name)));
  if (names.size === 0) return { answer: 'none', shown };
  const [first = {}] = further;
  const answer = Object.fromEntries(
    steady.map((name) => [name, withExamples ? first[name] : withoutValues(first[name])]),
  );
  const some = [...names].filter((name) => !steady.includes(name));
  return {
    ...(steady.length > 0 && { answer }),
    shown,
    ...(some.length > 0 && { reason: `only some animals have ${some.join(', ')}` }),
  };
};

const readRateLimitBody: Reader = ({ transcript }) => {
  const shown = transcript.exchanges.filter(
    (one): one is Answer => one.response?.status === 429 && one.case.credential === 'valid',
  );
  const form = toCommonForm(shown);
  if (!form) return varied(shown);
  return { answer: withoutStatus(form), shown };
};

const readUnauthenticatedQuota: Reader = ({ transcript }) => {
  const shown = answeredFor(transcript, 'credential').filter(
    ({ response }) => response.status === 401,
  );
  const quotas = shown.map(quotaOf);
  const [{ limit, remaining } = {}] = quotas;
  const isSteady = quotas.every((quota) => quota.limit === limit && quota.remaining === remaining);
  if (!isSteady) return { shown, reason: 'what is left changes from call to call' };
  const areShown = limit !== undefined && remaining !== undefined;
  return { answer: areShown ? { limit, remaining } : 'none', shown };
};

/** Reads the responses to paths that no operation has, and to methods that a path lacks. */
const readUnknownPath: Reader = (source) =>
  readParts({
    path: [...probesOf(source, 'unknown-path').values()].flat(),
    method: answeredFor(source.transcript, 'protocol').filter(
      ({ case: { purpose } }) => purpose.rule === 'method',
    ),
  });

/** Readers of whole responses, by silence. */
export const answerReaders: Readonly<Record<string, Reader>> = {
  'pet-id-form': readIdForm,
  'error-codes': readErrorCodes,
  'orders-payload': readOrdersPayload,
  'credentials-first': readCredentialsFirst,
  'head-and-options': readHeadAndOptions,
  'further-members': readFurtherMembers,
  'rate-limit-body': readRateLimitBody,
  'unauthenticated-quota': readUnauthenticatedQuota,
  'unknown-path': readUnknownPath,
};

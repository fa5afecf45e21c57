import { quotaOf } from '../limits/quota.ts';
import { type Answered, headerValue } from '../transcript/exchange.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { type Reader, toCommonForm, varied, withoutStatus } from './reading.ts';

export const readRateLimitBody: Reader = ({ transcript }) => {
  const shown = transcript.exchanges.filter(
    (one): one is Answered => one.response?.status === 429 && one.case.credential === 'valid',
  );
  const form = toCommonForm(shown);
  if (shown.length === 0) return undefined;
  if (!form) return varied(shown);
  const values = shown.flatMap((one) => headerValue(one, 'Retry-After') ?? []);
  const forms = new Set(values.map((value) => (/^\s*\d+\s*$/.test(value) ? 'seconds' : 'date')));
  const [retryAfter] = forms;
  return {
    answer: { ...withoutStatus(form), ...(forms.size === 1 && { retryAfter }) },
    shown,
    ...(forms.size > 1 && { reason: 'Retry-After is a date or seconds in turn' }),
  };
};

export const readUnauthenticatedQuota: Reader = ({ transcript }) => {
  const shown = answeredFor(transcript, 'credential').filter(
    ({ response }) => response.status === 401,
  );
  if (shown.length === 0) return undefined;
  const quotas = shown.map(quotaOf);
  const [{ limit, remaining } = {}] = quotas;
  const isSteady = quotas.every((quota) => quota.limit === limit && quota.remaining === remaining);
  if (!isSteady) return { shown, reason: 'what is left changes from call to call' };
  return { answer: limit === undefined ? 'none' : { limit, remaining }, shown };
};

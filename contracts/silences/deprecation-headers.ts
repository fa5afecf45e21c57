import { type Answered, headerValue, isAnswered } from '../transcript/exchange.ts';
import { countParts, type Reader } from './reading.ts';

const names = ['Deprecation', 'Sunset', 'Link'];

/** The headers of a deprecated operation, and the statuses that were seen with them. */
export const readDeprecationHeaders: Reader = ({ transcript }) => {
  const all = transcript.exchanges
    .filter(isAnswered)
    .filter(
      ({ case: { operation, credential }, response: { status } }) =>
        operation?.deprecated === true && credential === 'valid' && status !== 429,
    );
  const shown = all.filter(({ response }) => response.status === 200);
  const [first] = shown;
  if (!first) return undefined;
  const sent = names.flatMap((name) => {
    const value = headerValue(first, name);
    const isSteady = shown.every((one) => headerValue(one, name) === value);
    return isSteady && value !== undefined ? [[name, value] as const] : [];
  });
  if (sent.length === 0) return { answer: 'none', shown };
  const byStatus = Map.groupBy(all, ({ response }) => response.status);
  // Which answers lack the link is part of further-headers.
  const telling = sent.filter(([name]) => name !== 'Link' || sent.length === 1);
  const isWith = (one: Answered) =>
    telling.every(([name, value]) => headerValue(one, name) === value);
  const on = [...byStatus].flatMap(([status, those]) => (those.every(isWith) ? [status] : []));
  const some = [...byStatus].flatMap(([status, those]) =>
    those.some(isWith) && !on.includes(status) ? [status] : [],
  );
  if (all.length === shown.length)
    return {
      answer: Object.fromEntries(sent),
      shown,
      unsure: ['only answers with 200 were seen'],
    };
  return {
    answer: { ...Object.fromEntries(sent), on: on.toSorted((left, right) => left - right) },
    shown: all,
    parts: countParts(
      Object.fromEntries([...byStatus].map(([status, those]) => [`status ${status}`, those])),
    ),
    ...(some.length > 0 && {
      beyondTwin: `of the answers with ${some.join(' and ')}, only some have these headers; the twin sends none there`,
    }),
  };
};

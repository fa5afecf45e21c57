import { type Answered, headerValue, isAnswered } from '../transcript/exchange.ts';
import { idOf } from '../transcript/ids.ts';
import { itemIn } from '../transcript/items.ts';
import type { Reader, Source } from './reading.ts';

/** Headers that HTTP needs, that are stated, or that another silence is about. */
const ofOthers = [
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'trailer',
  'upgrade',
  'date',
  'age',
  'via',
  'x-request-id',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'deprecation',
  'sunset',
];

/** Headers that the twin sends and a deployment need not. */
const ofTheTwin = [
  'vary',
  'allow',
  'accept',
  'cache-control',
  'link',
  'www-authenticate',
  'access-control-allow-origin',
  'access-control-expose-headers',
];

const quotas = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

type Values = ReadonlyMap<string, string | null>;

/**
 * The headers of each place, which is an operation, an unknown path or another method with a status,
 * in common for all places where they are the same.
 */
export const readFurtherHeaders: Reader = (source) => {
  const shown = source.transcript.exchanges
    .filter(isAnswered)
    .filter(({ case: one }) => placeOf(one) !== undefined && !isOfAnotherOrigin(one.purpose))
    // Some take it for a valid key, and some do not.
    .filter(({ case: { credential } }) => credential !== 'lower-case-scheme');
  if (shown.length === 0) return undefined;
  const places = Map.groupBy(
    shown,
    ({ case: one, response }) =>
      `${placeOf(one)} ${response.status}${one.credential === 'valid' ? '' : ' without a key'}`,
  );
  const names = [...new Set([...shown.flatMap(namesOf), ...ofTheTwin])].filter(
    (name) => !ofOthers.includes(name),
  );
  const byPlace = new Map(
    [...places].map(([place, answers]) => {
      const own = isElsewhere(place) ? [...names, ...quotas] : names;
      return [place, toValues(own, { place, answers, source })] as const;
    }),
  );
  return { answer: factored(byPlace), shown };
};

function isOfAnotherOrigin(purpose: Answered['case']['purpose']): boolean {
  return purpose.kind === 'silence' && purpose.silence === 'head-and-options';
}

const elsewhere = ['unknown-path', 'other-method', 'HEAD'];

/** An operation, HEAD, an unknown path, or a method that no operation has. */
function placeOf({ operation, purpose }: Answered['case']): string | undefined {
  if (operation) return operation.id;
  if (purpose.kind === 'protocol') return purpose.rule === 'method' ? 'other-method' : 'HEAD';
  return purpose.kind === 'silence' && purpose.silence === 'unknown-path'
    ? 'unknown-path'
    : undefined;
}

function isElsewhere(place: string): boolean {
  return elsewhere.some((name) => place.startsWith(`${name} `));
}

function namesOf({ response }: Answered): string[] {
  return response.headers.map(([name]) => name.toLowerCase());
}

type Place = { place: string; answers: readonly Answered[]; source: Source };

/** The values of headers in a place; null where it lacks them, nothing where only some have them. */
function toValues(names: readonly string[], { place, answers, source }: Place): Values {
  const values = names.flatMap((name): [string, string | null][] => {
    const sent = answers.map((one) =>
      one.response.headers.find(([other]) => other.toLowerCase() === name),
    );
    const having = sent.filter((header) => header !== undefined);
    if (having.length === 0) return [[name, null]];
    if (having.length < sent.length || isOwnOfTwin(name, place)) return [];
    const all = sent.map((header, index) => toTemplate(header, answers[index] as Answered, source));
    return [[(having[0] as readonly [string, string])[0], all[0] as string]];
  });
  return new Map(values);
}

/** Whether the twin has a value of its own for a header, which the path or the time decide. */
function isOwnOfTwin(name: string, place: string): boolean {
  const isAllow = name === 'allow' && place.endsWith(' 405');
  const isChallenge = name === 'www-authenticate' && place.includes(' 401');
  return isAllow || isChallenge || quotas.includes(name);
}

/** A value with what differs from answer to answer replaced, and without what may be a secret. */
function toTemplate(
  header: readonly [name: string, value: string] | undefined,
  answer: Answered,
  { resource }: Source,
): string {
  const [name = '', value = ''] = header ?? [];
  const lower = name.toLowerCase();
  if (lower === 'etag') return value.startsWith('W/') ? 'W/"{etag}"' : '"{etag}"';
  if (lower === 'set-cookie') return value.replace(/=[^;]*/, '=0');
  const id = idOf(itemIn(answer), resource.idProperty);
  return lower === 'location' && id !== undefined
    ? value.replace(new RegExp(`${RegExp.escape(id)}$`), '{id}')
    : value;
}

/** What all places have in common goes to `*`, what all operations have to `operations`. */
function factored(
  byPlace: ReadonlyMap<string, Values>,
): Record<string, Record<string, string | null>> {
  const places = [...byPlace];
  const operations = places.filter(([place]) => !isElsewhere(place));
  const everywhere = common(places.map(([, values]) => values));
  const onOperations = common(operations.map(([, values]) => values));
  const rest = (values: Values, ...covered: Values[]) =>
    Object.fromEntries(
      [...values].filter(([name, value]) =>
        covered.every((others) => !others.has(name) || others.get(name) !== value),
      ),
    );
  const result: Record<string, Record<string, string | null>> = {
    '*': Object.fromEntries(everywhere),
    operations: rest(onOperations, everywhere),
  };
  for (const [place, values] of places) {
    result[place] = rest(values, everywhere, ...(isElsewhere(place) ? [] : [onOperations]));
  }
  return Object.fromEntries(
    Object.entries(result).filter(([, headers]) => Object.keys(headers).length > 0),
  );
}

function common([first = new Map(), ...others]: readonly Values[]): Values {
  return new Map(
    [...first].filter(([name, value]) =>
      others.every((values) => values.has(name) && values.get(name) === value),
    ),
  );
}

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
  if (all.length === shown.length) return { answer: Object.fromEntries(sent), shown };
  // Which answers lack the link is part of further-headers.
  const telling = sent.filter(([name]) => name !== 'Link' || sent.length === 1);
  const isWith = (one: Answered) =>
    telling.every(([name, value]) => headerValue(one, name) === value);
  const byStatus = Map.groupBy(all, ({ response }) => response.status);
  const on = [...byStatus].flatMap(([status, those]) => (those.every(isWith) ? [status] : []));
  return {
    answer: { ...Object.fromEntries(sent), on: on.toSorted((left, right) => left - right) },
    shown: all,
  };
};

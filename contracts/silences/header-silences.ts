import { clockAhead, quotaOf } from '../limits/quota.ts';
import { type Answer, headerValue, isAnswered } from '../transcript/exchange.ts';
import { idOf, itemIn } from '../transcript/items.ts';
import { allAnswers, type Reader, type Source } from './reading.ts';

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
 * Reads further headers by place: an operation, an unknown path or another method, with a status.
 * Headers that all places share are listed once.
 */
const readFurtherHeaders: Reader = (source) => {
  const shown = source.transcript.exchanges
    .filter(isAnswered)
    .filter(({ case: one }) => placeOf(one) !== undefined);
  const places = Map.groupBy(shown, (one) => `${placeOf(one.case)} ${one.response.status}`);
  const names = [...new Set([...shown.flatMap(namesOf), ...ofTheTwin])].filter(
    (name) => !ofOthers.includes(name),
  );
  const byPlace = new Map(
    [...places].map(([place, answers]) => {
      const isElsewhere = answers.some(({ case: { operation } }) => operation === undefined);
      const asked = isElsewhere ? [...names, ...quotas] : names;
      return [place, toValues(asked, { place, answers, source })];
    }),
  );
  return { answer: factored(byPlace), shown };
};

/** An operation, HEAD, an unknown path, or a method that no operation has. */
function placeOf({ operation, purpose }: Answer['case']): string | undefined {
  if (operation) return operation.id;
  if (purpose.kind === 'protocol') return purpose.rule === 'method' ? 'other-method' : 'HEAD';
  return purpose.kind === 'silence' && purpose.silence === 'unknown-path'
    ? 'unknown-path'
    : undefined;
}

function namesOf({ response }: Answer): string[] {
  return response.headers.map(([name]) => name.toLowerCase());
}

/** The values of headers in a place; null where it lacks them, nothing where only some have them. */
function toValues(
  names: readonly string[],
  { place, answers, source }: { place: string; answers: readonly Answer[]; source: Source },
): Values {
  const values = names.flatMap((name): [string, string | null][] => {
    const sent = answers.map((one) =>
      one.response.headers.find(([other]) => other.toLowerCase() === name),
    );
    const [header] = sent;
    if (sent.every((one) => one === undefined)) return [[name, null]];
    if (!header || sent.includes(undefined) || isOwnOfTwin(name, place)) return [];
    return [[header[0], toTemplate(header, answers[0] as Answer, source)]];
  });
  return new Map(values);
}

/** Whether the twin has a value of its own for a header, which the path or the time decide. */
function isOwnOfTwin(name: string, place: string): boolean {
  const isAllow = name === 'allow' && place.endsWith(' 405');
  const isChallenge = name === 'www-authenticate' && place.endsWith(' 401');
  return isAllow || isChallenge || [...quotas, 'access-control-allow-origin'].includes(name);
}

/** A value with what differs from answer to answer replaced, and without what may be a secret. */
function toTemplate(
  [name, value]: readonly [name: string, value: string],
  answer: Answer,
  { resource }: Source,
): string {
  const lower = name.toLowerCase();
  if (lower === 'etag') return value.startsWith('W/') ? 'W/"{etag}"' : '"{etag}"';
  if (lower === 'set-cookie') return value.replace(/=[^;]*/, '=0');
  const id = idOf(itemIn(answer), resource.idProperty);
  return lower === 'location' && id !== undefined
    ? value.replace(new RegExp(`${RegExp.escape(id)}$`), '{id}')
    : value;
}

/** Moves the headers that all places share to `*`. */
function factored(
  byPlace: ReadonlyMap<string, Values>,
): Record<string, Record<string, string | null>> {
  const [first = new Map(), ...others] = byPlace.values();
  const common = [...first].filter(([name, value]) =>
    others.every((values) => values.has(name) && values.get(name) === value),
  );
  const names = common.map(([name]) => name);
  const places = [...byPlace].flatMap(([place, values]) => {
    const own = [...values].filter(([name]) => !names.includes(name));
    return own.length === 0 ? [] : [[place, Object.fromEntries(own)] as const];
  });
  return {
    ...(common.length > 0 && { '*': Object.fromEntries(common) }),
    ...Object.fromEntries(places),
  };
}

const names = ['Deprecation', 'Sunset', 'Link'];

const readDeprecationHeaders: Reader = ({ transcript }) => {
  const shown = transcript.exchanges
    .filter(isAnswered)
    .filter(
      ({ case: { operation }, response }) =>
        operation?.deprecated === true && response.status === 200,
    );
  const [first] = shown;
  if (!first) return undefined;
  const sent = names.flatMap((name) => {
    const value = headerValue(first, name);
    const isSteady = shown.every((one) => headerValue(one, name) === value);
    return isSteady && value !== undefined ? [[name, value] as const] : [];
  });
  return { answer: sent.length === 0 ? 'none' : Object.fromEntries(sent), shown };
};

/** An answer with a Reset in Unix seconds, and how many seconds that lies ahead. */
type ShownReset = { one: Answer; reset: number; ahead: number };

/** The longest windows, and by how much clocks may differ, in seconds. */
const [hour, day, tolerance] = [3600, 86_400, 5];

/** Which window the headers show; nothing where they may show both and one was seen alone. */
const readRateLimitWindows: Reader = (source) => {
  const withReset = allAnswers(source).flatMap((one): ShownReset[] => {
    const { reset } = quotaOf(one);
    if (reset === undefined || one.case.credential !== 'valid') return [];
    const ahead = reset - (one.endedAt + clockAhead(one)) / 1000;
    // Any other is no end of a window, whatever it is.
    return ahead >= -tolerance && ahead <= day + tolerance ? [{ one, reset, ahead }] : [];
  });
  const shown = withReset.map(({ one }) => one);
  if (areOfDay(withReset)) return { answer: 'day', shown };
  const byKey = [...Map.groupBy(shown, ({ request }) => request.keyName).values()];
  const areBoth = byKey.some((of) => new Set(of.map((one) => quotaOf(one).limit)).size > 1);
  return areBoth ? { answer: 'least-remaining', shown } : undefined;
};

/** Whether all windows are those of the day, of a limit that is no larger than that of a day. */
function areOfDay(withReset: readonly ShownReset[]): boolean {
  const endWithDay =
    withReset.every(({ reset }) => reset % day === 0) && withReset.some(({ ahead }) => ahead > 61);
  const isFewer = withReset.some(({ one }) => {
    const { limit = 0 } = quotaOf(one);
    return limit > 0 && limit <= 1000;
  });
  return isFewer && (endWithDay || withReset.every(({ ahead }) => ahead > hour));
}

/** Readers of headers, by silence. */
export const headerReaders: Readonly<Record<string, Reader>> = {
  'further-headers': readFurtherHeaders,
  'deprecation-headers': readDeprecationHeaders,
  'rate-limit-windows': readRateLimitWindows,
};

import { fitsRange, isJsonMedia, toEssence } from '../../common/media-type.ts';
import type { Api, Resource } from '../../openapi/index.ts';
import { chooseContent } from '../../openapi/model/content.ts';
import { findIn } from '../../openapi/model/responses.ts';
import type { Case, Purpose } from '../cases/case.ts';
import { isInProse, isJson, isStatedSuccess, statedSchema } from '../document/stated.ts';
import { type Answered, type Exchange, headerValue, isAnswered, type Target } from './exchange.ts';
import type { SchemaProblem } from './schema/problems.ts';
import type { ResponseValidators } from './schema/validator.ts';
import type { Webhooks } from './webhooks.ts';

/** A key as the checks know it: its name, and its plan if the user gave it. */
export type KeyInfo = { name: string; plan?: string };

/**
 * A key that the target refuses, with the beginning of it that may be shown, and the answer's
 * status.
 */
export type RefusedKey = KeyInfo & { beginning: string; status: number };

/** Everything that was sent to one target and came back, in order of sending. */
export type Transcript = {
  document: Api;
  target: Target;
  keys: readonly KeyInfo[];
  /** The keys that were given and are not used, as the target refuses them. */
  refusedKeys: readonly RefusedKey[];
  validators: ResponseValidators;
  /** The keys whose limit was to be tried. */
  trials: readonly LimitTrial[];
  exchanges: readonly Exchange[];
  skipped: readonly Skipped[];
  /** The webhooks and callbacks that the target sent, if the run listened. */
  webhooks?: Webhooks;
  /**
   * Whether others made the calls, and more of them may have passed than were recorded: the same keys
   * and items may be used elsewhere at the same time.
   */
  isTraffic?: true;
  /** Why the target was called no more before the run was over, in words that follow its name. */
  ended?: string | undefined;
  /** A failure of the suite itself that ended the cases. */
  defect?: string;
};

/**
 * The outcome of exhausting a key: `met` if the key was refused in the end, `not-met` if not, or
 * `not-tried`. The reason is a text for people.
 */
export type LimitTrial = { key: string; calls: number } & (
  | { outcome: 'met' }
  | { outcome: 'not-met' | 'not-tried'; reason: string }
);

/** Names a refused key, so that its owner recognizes it and it stays secret. */
export function toRefusal({ name, beginning, status }: RefusedKey): string {
  return `key ${name} (${beginning}…) is refused with ${status}`;
}

export type AnsweredFor<K extends Purpose['kind']> = Answered & {
  case: Case & { purpose: Extract<Purpose, { kind: K }> };
};

/**
 * The exchanges for a purpose that were answered by the API itself: neither failed nor refused by
 * the limiter.
 */
export function answeredFor<K extends Purpose['kind']>(
  { exchanges }: Transcript,
  ...kinds: K[]
): AnsweredFor<K>[] {
  return exchanges.filter(
    (exchange): exchange is AnsweredFor<K> =>
      isAnswered(exchange) &&
      exchange.response.status !== 429 &&
      kinds.includes(exchange.case.purpose.kind as K),
  );
}

/**
 * Makes a reading of what a transcript shows of a resource, and keeps it for the next who asks, until
 * the transcript has grown.
 */
export function readOnce<Reading>(
  read: (transcript: Transcript, resource: Resource) => Reading,
): (transcript: Transcript, resource: Resource) => Reading {
  const readings = new WeakMap<Transcript, Map<Resource, { upTo: number; reading: Reading }>>();
  return (transcript, resource) => {
    const ofTranscript = readings.get(transcript) ?? new Map();
    readings.set(transcript, ofTranscript);
    const { length: upTo } = transcript.exchanges;
    const known = ofTranscript.get(resource);
    if (known?.upTo === upTo) return known.reading;
    const reading = read(transcript, resource);
    ofTranscript.set(resource, { upTo, reading });
    return reading;
  };
}

/** Returns the page size and the filters that a list asks for; undefined for another call. */
export function askedOf({
  case: { purpose },
}: Exchange): { limit?: number; filters: Readonly<Record<string, string>> } | undefined {
  return purpose.kind === 'list' ? purpose : purpose.kind === 'silence' ? purpose.asked : undefined;
}

/** All answers to operations of the document, those of the limiter included. */
export function answersOfOperations({ exchanges }: Transcript): Answered[] {
  return exchanges.filter(isAnswered).filter((exchange) => exchange.case.operation !== undefined);
}

/**
 * The answers with a stated success status and a described body, each with what is wrong with the
 * body.
 */
export function successBodies(
  transcript: Transcript,
): { exchange: Answered; problems: SchemaProblem[] }[] {
  return answersOfOperations(transcript).flatMap((exchange) => {
    const { case: testCase, response } = exchange;
    const { operation } = testCase;
    const { status, json } = response;
    if (!operation || testCase.method === 'HEAD' || response.unjudged !== undefined) return [];
    const type = headerValue(exchange, 'Content-Type');
    if (!isStatedSuccess(operation, status) || !statedSchema(operation, status, type)) return [];
    if (isOtherThanJson(transcript, exchange)) return [];
    const problems = transcript.validators.find(operation, status, type)?.(json) ?? [];
    return [{ exchange, problems }];
  });
}

/**
 * The media types that a body may have: those stated for its status; of a success that is not
 * stated, those of all other bodies where these are JSON.
 */
export function statedMediaTypes(
  { document }: Pick<Transcript, 'document'>,
  { case: { operation, method }, response: { status } }: Answered,
): readonly string[] {
  if (!operation || method === 'HEAD' || status < 200) return [];
  const response = findIn(operation.responses, status);
  const isSuccess = status < 300;
  // An interface in prose leaves the body of a 429 open.
  const isOpen = isInProse(document) && status === 429;
  const isStated = status >= 400 && response?.assumed === undefined && !isOpen;
  if (!isSuccess && !isStated) return [];
  if (response) return response.mediaTypes.map(toEssence);
  const withContent = operation.responses.filter((one) => one.mediaTypes.length > 0);
  return isSuccess && withContent.every(isJson)
    ? withContent.flatMap(({ mediaTypes }) => mediaTypes.map(toEssence))
    : [];
}

/** Whether a media type is one of those stated, or of a range of these. */
export function fitsMediaTypes(mediaType: string, types: readonly string[]): boolean {
  return types.some((one) => fitsRange(mediaType, one));
}

/** Whether a body is of a stated media type other than JSON, which no schema of JSON is about. */
export function isOtherThanJson(
  transcript: Pick<Transcript, 'document'>,
  exchange: Answered,
): boolean {
  const type = toEssence(headerValue(exchange, 'Content-Type') ?? '');
  const isText = exchange.response.json === undefined && type !== '';
  if (isJsonMedia(type)) return holdsText(exchange, type);
  return isText && fitsMediaTypes(type, statedMediaTypes(transcript, exchange));
}

/** Whether the document describes the body of an answer as bytes or a text, whatever its type. */
export function holdsText({ case: { operation }, response }: Answered, type: string): boolean {
  const { contents = [] } = findIn(operation?.responses ?? [], response.status) ?? {};
  return chooseContent(contents, type)?.isText === true;
}

/** Why a case that was planned was not made. */
export type SkipReason =
  | { code: 'no-value'; name: string }
  | { code: 'no-key'; schemes: readonly string[] }
  | { code: 'key-must-wait' }
  | { code: 'quota-used-up' }
  | { code: 'quota-short' }
  | { code: 'no-answers'; times: number }
  | { code: 'max-requests' | 'share-used'; requests: number }
  | { code: 'out-of-time' }
  | { code: 'may-change-others' }
  | { code: 'below-others' }
  | { code: 'not-on-own' }
  | { code: 'refers-to-others'; name: string }
  | { code: 'never-deleted'; status: number }
  | { code: 'writes-not-allowed' }
  | { code: 'unmarked' }
  | { code: 'keeps-failing' }
  | { code: 'answers-others' }
  | { code: 'never-proven' }
  | { code: 'key-stopped' }
  | { code: 'interrupted' };

/** A case that was planned and not made. */
export type Skipped = { case: Case; reason: SkipReason };

/** Reasons that follow from another one, such as an item that no create made. */
const following: readonly SkipReason['code'][] = [
  'not-on-own',
  'may-change-others',
  'below-others',
  'no-value',
];

/** Returns the first reason that follows from no other, if there is one. */
export function firstCause(skipped: readonly Skipped[]): SkipReason | undefined {
  const rankOf = ({ code }: SkipReason) => following.indexOf(code);
  return skipped
    .map(({ reason }) => reason)
    .toSorted((left, right) => rankOf(left) - rankOf(right))[0];
}

/** The reason for a person; it continues "not made, as". */
export function toSkipText(reason: SkipReason): string {
  switch (reason.code) {
    case 'no-value':
      return `nothing gave a value for ${reason.name}`;
    case 'no-key':
      return `no key was given for its security scheme ${reason.schemes.join(' or ')}`;
    case 'key-must-wait':
      return 'the key has to wait after a 429';
    case 'quota-used-up':
      return 'the quota of the keys is used up';
    case 'quota-short':
      return 'the quota of the keys is short';
    case 'no-answers':
      return `the target did not answer ${reason.times} times`;
    case 'max-requests':
      return `the run may make ${reason.requests} requests (--max-requests)`;
    case 'share-used':
      return `its operation had its share of ${reason.requests} requests (--max-requests)`;
    case 'out-of-time':
      return 'the time for the run is over';
    case 'may-change-others':
      return 'it may change what the run has not made';
    case 'below-others':
      return 'it creates below an item that the run has not made';
    case 'not-on-own':
      return 'it is called on items of the run alone, and none was made for it';
    case 'refers-to-others':
      return `${reason.name} would name an item that the run has not made`;
    case 'never-deleted':
      return `a deletion was answered ${reason.status}, so that what it adds would stay`;
    case 'unmarked':
      return 'nothing in its body would show that the run made the item';
    case 'keeps-failing':
      return 'each call of its operation failed';
    case 'answers-others':
      return 'it answered with an item that the run had not made';
    case 'never-proven':
      return "nothing proved that its items are the run's own";
    case 'writes-not-allowed':
      return 'it may change something, and --allow-writes was not given';
    case 'key-stopped':
      return 'the key stopped working';
    case 'interrupted':
      return 'the run was interrupted';
  }
}

/** Reasons that leave no run incomplete: nothing could be made, or it was not to be made. */
const asItShould: readonly SkipReason['code'][] = [
  'no-value',
  'no-key',
  'key-must-wait',
  'may-change-others',
  'below-others',
  'not-on-own',
  'refers-to-others',
  'never-deleted',
  'unmarked',
  'keeps-failing',
  'answers-others',
  'never-proven',
  'writes-not-allowed',
  'key-stopped',
];

/** Whether a skipped case leaves the run incomplete. */
export function isMissed({ reason }: Skipped): boolean {
  return !asItShould.includes(reason.code);
}

import { messageOf } from '../../common/look/visible.ts';
import { fitsRange, isJsonMedia, toEssence } from '../../common/media-type.ts';
import type { Api, Operation, PlanFigures, Resource } from '../../openapi/index.ts';
import { chooseContent, mediaTypesOf, withoutContent } from '../../openapi/model/content.ts';
import { selectsMembers } from '../../openapi/model/lists.ts';
import { findIn } from '../../openapi/model/responses.ts';
import type { Case, Purpose } from '../cases/case.ts';
import { isInProse, isJson, statedSchema } from '../document/stated.ts';
import { readTextBody } from '../document/text-values.ts';
import { type Answer, type Exchange, headerValue, isAnswered, type Target } from './exchange.ts';
import { sampleOf } from './sample.ts';
import { isOfHiddenValue, type SchemaProblem } from './schema/problems.ts';
import { compileAnswer, compileAnswerOf } from './schema/validator.ts';
import type { SkippedCase } from './skip-reasons.ts';
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
  /** The keys whose limit was to be tried. */
  trials: readonly LimitTrial[];
  exchanges: readonly Exchange[];
  skipped: readonly SkippedCase[];
  /** The webhooks and callbacks that the target sent, if the run listened. */
  webhooks?: Webhooks;
  observer: Observer;
  /** Lessons of refusals about bodies, if there are any. */
  lessons?: readonly Lesson[];
  /** Why the target was called no more before the run was over, in words that follow its name. */
  ended?: string | undefined;
  /** A failure of the suite itself that ended the cases. */
  defect?: Defect;
  /** The findings of fuzzing, if its exchanges are these. */
  fuzzing?: FuzzResult;
};

/** A cause that fuzzing found: the shortest sequence of calls that shows it, the last one with what is wrong. */
export type FuzzCause = {
  /** The id of the check that it is a finding of. */
  check: string;
  /** Names the cause on the operation; those of one `group` have one cause on several. */
  key: string;
  group?: string;
  message: string;
  expected: string;
  actual: string;
  isStated: boolean;
  sequence: readonly [Exchange, ...Exchange[]];
  /** How many calls showed it. */
  count: number;
};

/** The findings of fuzzing, and the numbers of calls after a deletion and of calls that were sent together. */
export type FuzzResult = {
  causes: readonly FuzzCause[];
  afterDeletion: ReadonlySet<number>;
  atOnce: ReadonlySet<number>;
  /** Why it ended before its time, in words that follow "as". */
  stopped?: string;
  /** The optional parameters of reads that were left out, by the ids of operations. */
  leftOut: ReadonlyMap<string, readonly string[]>;
};

/** A lesson of refusals of an operation: members to leave out of its bodies, and values to send. */
export type Lesson = {
  operation: Operation;
  without: string[];
  /** Values by name, also in place of those that were refused; texts may have placeholders. */
  with: Record<string, unknown>;
  /** Values in place of others that the document lists, by their paths in a body. */
  chosen?: { at: readonly string[]; value: unknown }[];
};

/** A failure of the suite itself: what is wrong in a sentence, and the stack of the error. */
export type Defect = { message: string; stack: string };

/** Returns the defect that an error shows; `what` names the part that failed, if only a part did. */
export function toDefect(error: unknown, what?: string): Defect {
  const message = messageOf(error);
  return {
    message: what === undefined ? message : `${what} failed (${message})`,
    stack: (error instanceof Error && error.stack) || message,
  };
}

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

/** The plan of the key that a call was made with, and its figures, where they are known. */
export function planOf(
  { keys, document }: Pick<Transcript, 'keys' | 'document'>,
  { request }: Exchange,
): { plan: string | undefined; figures: Exclude<PlanFigures, 'custom'> | undefined } {
  const plan = keys.find(({ name }) => name === request.keyName)?.plan;
  const figures = document.plans[plan ?? ''];
  return { plan, figures: figures === 'custom' ? undefined : figures };
}

export type AnsweredFor<K extends Purpose['kind']> = Answer & {
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
  return exchanges.filter((exchange) => isAnsweredFor(exchange, ...kinds));
}

/** Whether an exchange for a purpose was answered by the API itself. */
export function isAnsweredFor<K extends Purpose['kind']>(
  exchange: Exchange,
  ...kinds: K[]
): exchange is AnsweredFor<K> {
  return (
    isAnswered(exchange) &&
    exchange.response.status !== 429 &&
    kinds.includes(exchange.case.purpose.kind as K)
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
export function answersOfOperations({ exchanges }: Transcript): Answer[] {
  return exchanges.filter(isAnswered).filter((exchange) => exchange.case.operation !== undefined);
}

/** The answers with a stated status and a described body, each with what is wrong with the body. */
export function statedBodies(
  transcript: Transcript,
  isStated: (operation: Operation, status: number) => boolean,
): { exchange: Answer; problems: SchemaProblem[] }[] {
  return answersOfOperations(transcript).flatMap((exchange) => {
    const { case: testCase, response } = exchange;
    const { operation } = testCase;
    const { status, json } = response;
    if (!operation || testCase.method === 'HEAD' || response.unjudged !== undefined) return [];
    const mediaType = headerValue(exchange, 'Content-Type');
    if (!isStated(operation, status)) return [];
    const texts = textValuesOf(transcript.document, exchange);
    if (texts) {
      const find = compileAnswer(transcript.document, texts.schema);
      const values = sampleOf(texts.values) as unknown[];
      return [{ exchange, problems: values.flatMap((one) => find(one)) }];
    }
    if (!statedSchema(operation, status, mediaType)) return [];
    if (isOtherThanJson(transcript, exchange)) return [];
    const find = compileAnswerOf(transcript.document, operation, { status, mediaType });
    const found = find?.(json) ?? [];
    const { hidesValues = false } = transcript.observer;
    const problems = hidesValues ? found.filter((one) => !isOfHiddenValue(one)) : found;
    const isOfSome = [...new URLSearchParams(exchange.request.path.split('?')[1]).keys()].some(
      selectsMembers,
    );
    return [{ exchange, problems: isOfSome ? problems.filter((one) => !mayLack(one)) : problems }];
  });
}

/** Whether a problem may come of members alone that an answer lacks. */
function mayLack({ fault }: SchemaProblem): boolean {
  return / (?:required|anyOf|oneOf|minProperties|dependentRequired) /.test(fault);
}

/** The values in a body of a stated media type other than JSON, as far as the document tells how. */
function textValuesOf(document: Api, exchange: Answer): ReturnType<typeof readTextBody> {
  const { case: one, response } = exchange;
  const type = headerValue(exchange, 'Content-Type');
  const { contents = [] } = findIn(one.operation?.responses ?? [], response.status) ?? {};
  const content = type === undefined ? undefined : chooseContent(contents, type);
  if (!content || type === undefined || withoutContent.includes(response.status)) return undefined;
  return readTextBody(document, content, { type, text: response.text });
}

/**
 * The media types that a body may have: those stated for its status; of a success that is not
 * stated, those of all other bodies where these are JSON.
 */
export function statedMediaTypes(
  { document }: Pick<Transcript, 'document'>,
  { case: { operation, method }, response: { status } }: Answer,
): readonly string[] {
  if (!operation || method === 'HEAD' || status < 200) return [];
  const response = findIn(operation.responses, status);
  const isSuccess = status < 300;
  // An interface in prose leaves the body of a 429 open.
  const isOpen = isInProse(document) && status === 429;
  const isStated = status >= 400 && response?.assumed === undefined && !isOpen;
  if (!isSuccess && !isStated) return [];
  if (response) return mediaTypesOf(response);
  const withContent = operation.responses.filter(({ contents }) => contents.length > 0);
  return isSuccess && withContent.every(isJson) ? withContent.flatMap(mediaTypesOf) : [];
}

/** Whether a media type is one of those stated, or of a range of these. */
export function fitsMediaTypes(mediaType: string, types: readonly string[]): boolean {
  return types.some((one) => fitsRange(mediaType, one));
}

/** Whether a body is of a stated media type other than JSON, which no schema of JSON is about. */
function isOtherThanJson(transcript: Pick<Transcript, 'document'>, exchange: Answer): boolean {
  const type = toEssence(headerValue(exchange, 'Content-Type') ?? '');
  const isText = exchange.response.json === undefined && type !== '';
  if (isJsonMedia(type)) return holdsText(exchange, type);
  return isText && fitsMediaTypes(type, statedMediaTypes(transcript, exchange));
}

/** Whether the document describes the body of an answer as bytes or a text, whatever its type. */
export function holdsText({ case: { operation }, response }: Answer, type: string): boolean {
  const { contents = [] } = findIn(operation?.responses ?? [], response.status) ?? {};
  return chooseContent(contents, type)?.isText === true;
}

/** Facts about the calls of a transcript, by who made them. */
export type Observer = {
  /**
   * Whether all calls were chosen to test the target: then their values are valid and nobody else's,
   * and a report can say what was not tried.
   */
  choosesCalls: boolean;
  /**
   * Whether the transcript has all calls with these keys and on these items, unless something shows
   * otherwise. Others may make more of them, which nobody recorded.
   */
  seesAllCalls: boolean;
  /** Whether the target is known to accept each key that is called valid. */
  provesKeys: boolean;
  /** Whether tokens may stand for secrets, as in recordings of ours. */
  hidesValues?: boolean;
  /** How many faults of a kind are evidence, as somebody else may be the cause of one. */
  evidence: {
    /** Created items that are missing. */
    lostItems: number;
    /** Items that refused creates left. */
    leftItems: number;
    /** Requests that were left when a call was refused. */
    requestsLeft: number;
  };
};

/** A run of the suite: it makes all calls, and others are assumed only where something shows them. */
export const ownRun: Observer = {
  choosesCalls: true,
  seesAllCalls: true,
  provesKeys: false,
  evidence: { lostItems: 1, leftItems: 1, requestsLeft: 1 },
};

/** Calls of others, as they passed a proxy or were recorded. */
export const traffic: Observer = {
  choosesCalls: false,
  seesAllCalls: false,
  provesKeys: true,
  evidence: { lostItems: 3, leftItems: 2, requestsLeft: 4 },
};

import { shown } from '../checks/check.ts';
import type { Resource } from '../description/document.ts';
import { membersOf, toJson } from '../json.ts';
import type { SilenceResult } from '../report/events.ts';
import { type Answered, headerValue, isAnswered } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { textOf } from '../transcript/ids.ts';
import { itemsIn } from '../transcript/items.ts';
import { quotaOf } from '../transcript/limits/quota.ts';
import { answeredFor, type Transcript } from '../transcript/transcript.ts';
import { shapeOf } from './compare.ts';

type Observe = (transcript: Transcript, resource: Resource | undefined) => string | undefined;

/** What a single probe cannot show, by the id of the silence. */
const observers: Record<string, Observe> = {
  'list-order': (transcript, resource) => {
    const list = answeredFor(transcript, 'list').find(
      ({ response }) => Array.isArray(response.json) && response.json.length > 2,
    );
    const given = (list ? itemsIn(list) : []).map((item) => item[resource?.idProperty ?? 'id']);
    // As text, "10" sorts before "9".
    const texts = given.map((id) => (typeof id === 'string' ? id : toJson(id)));
    const ids = texts.every((id) => /^-?\d+$/.test(id)) ? texts.map(BigInt) : texts;
    if (ids.length < 3) return undefined;
    if (ids.every((id, index) => index === 0 || id > (ids[index - 1] as typeof id)))
      return 'by id, ascending';
    return ids.every((id, index) => index === 0 || id < (ids[index - 1] as typeof id))
      ? 'by id, descending'
      : 'not in order of id';
  },
  'default-status': (transcript, resource) => {
    const created = answeredFor(transcript, 'create').find(
      ({ case: { purpose }, response }) => purpose.onlyRequired && response.status < 300,
    );
    const item = membersOf(created?.response.json);
    const optional = Object.keys(resource?.item.properties ?? {}).filter(
      (name) => !resource?.item.required.includes(name),
    );
    return (
      item &&
      optional
        .map((name) =>
          item[name] === undefined ? 'the field is absent' : `stored as ${shown(item[name])}`,
        )
        .join(', ')
    );
  },
  'new-id': (transcript, resource) => {
    const ids = answeredFor(transcript, 'create')
      .map(({ response }) => membersOf(response.json)?.[resource?.idProperty ?? 'id'])
      .filter((id) => textOf(id) !== undefined);
    if (ids.length < 3) return undefined;
    const numbers = ids.map(Number).toSorted((left, right) => left - right);
    return (numbers.at(-1) as number) - (numbers[0] as number) < ids.length * 4
      ? 'sequential'
      : `not sequential, e.g. ${shown(ids[0])}`;
  },
  'read-after-create': (transcript, resource) => {
    const isLate = resource && readHistories(transcript, resource).isLate;
    return isLate === undefined ? undefined : isLate ? 'some were missing at first' : 'immediately';
  },
  'rate-limit-body': ({ exchanges }) => {
    const refused = exchanges.find(({ response }) => response?.status === 429);
    return refused && bodyOf(refused as Answered);
  },
  'rate-limit-windows': ({ exchanges }) => {
    const first = exchanges
      .filter(isAnswered)
      .find((exchange) => quotaOf(exchange).reset !== undefined);
    const ahead = first && (quotaOf(first).reset as number) - first.endedAt / 1000;
    return ahead === undefined
      ? undefined
      : ahead <= 61
        ? 'the headers show a window that ends within a minute'
        : 'the headers show a longer window than a minute';
  },
  'unauthenticated-quota': (transcript) => {
    const refused = answeredFor(transcript, 'credential').find(
      ({ response }) => response.status === 401,
    );
    const { limit, remaining } = refused ? quotaOf(refused) : {};
    return refused && (limit === undefined ? 'no figures' : `limit ${limit}, ${remaining} left`);
  },
  'deprecation-headers': (transcript) => {
    const read = answeredFor(transcript, 'read').find(
      ({ case: { operation } }) => operation?.deprecated,
    );
    const sent = ['Deprecation', 'Sunset', 'Link'].filter(
      (name) => read && headerValue(read, name) !== undefined,
    );
    return read && (sent.join(', ') || 'none');
  },
  'orders-payload': (transcript) => {
    const call = answeredFor(transcript, 'call')[0];
    return call && `${call.response.status}, ${bodyOf(call)}`;
  },
  'head-and-options': (transcript) => {
    const head = answeredFor(transcript, 'protocol').find(
      ({ case: { purpose } }) => purpose.rule === 'head',
    );
    return head && `HEAD: ${head.response.status}`;
  },
};

/** For each thing that the interface leaves open, what each target does there. */
export function mapSilences(transcripts: readonly Transcript[]): SilenceResult[] {
  const [first] = transcripts;
  return (first?.document.silences ?? []).map(({ id, source, question }) => ({
    id,
    source,
    question,
    observed: Object.fromEntries(
      transcripts.map((transcript) => [transcript.target.name, observe(transcript, id)]),
    ),
  }));
}

/** What a target shows of a silence without a probe; undefined where it shows nothing. */
export function observeWithout(transcript: Transcript, silence: string): string | undefined {
  return observers[silence]?.(transcript, transcript.document.resources[0]);
}

/** What a call was answered with, in a few words. */
export function toAnswerText(exchange: Answered): string {
  return `${exchange.response.status}, ${bodyOf(exchange)}`;
}

function observe(transcript: Transcript, silence: string): string {
  const probes = answeredFor(transcript, 'silence').filter(
    ({ case: { purpose, repeatOf, stage } }) =>
      purpose.silence === silence && repeatOf === undefined && stage !== 'pages',
  );
  if (probes.length === 0) return observeWithout(transcript, silence) ?? 'not observed';
  const seen = Map.groupBy(probes, toAnswerText);
  if (seen.size === 1) return [...seen.keys()][0] as string;
  return [...seen]
    .map(
      ([what, group]) =>
        `${group.map(({ case: { purpose } }) => purpose.probe).join(' ')}: ${what}`,
    )
    .join('; ');
}

/** A body in a few words. */
function bodyOf({ response: { json, size, unjudged } }: Answered): string {
  if (size === 0) return 'no body';
  if (unjudged !== undefined) return `a body of ${size} bytes`;
  if (Array.isArray(json)) return json.length === 1 ? '1 item' : `${json.length} items`;
  const shape = shapeOf(json);
  return shape === '{code: string, message: string, status: number}' ? 'Error' : shape;
}

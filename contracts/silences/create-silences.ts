import { planBodies } from '../cases/bodies.ts';
import { type Answered, isAnswered } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { idOf } from '../transcript/ids.ts';
import { countOf, isList, itemIn, itemsIn } from '../transcript/items.ts';
import { mayRepeat } from '../transcript/may-repeat.ts';
import { answeredFor } from '../transcript/transcript.ts';
import { isRefused, isStored, sentFields, validCreates } from './creates.ts';
import {
  allAnswers,
  probesOf,
  type Reader,
  type Reading,
  type Source,
  toCommonForm,
  toRefusal,
  toShortest,
  varied,
} from './reading.ts';

/** A probe that is either accepted or refused in one form. */
function acceptedOr(silence: string, accepted = 'accepted'): Reader {
  return (source) => {
    const shown = [...probesOf(source, silence).values()]
      .flat()
      .filter((one) => !mayRepeat(source.transcript, one));
    if (shown.length === 0) return undefined;
    return shown.every(isStored) ? { answer: accepted, shown } : toRefusal(shown);
  };
}

export const readDefaultStatus: Reader = (source) => {
  const { resource } = source;
  const optional = Object.keys(resource.item.properties).filter(
    (name) => name !== resource.idProperty && !resource.item.required.includes(name),
  );
  const shown = validCreates(source).filter(isStored);
  if (optional.length === 0 || shown.length === 0) return undefined;
  const defaults: Record<string, unknown> = {};
  for (const name of optional) {
    const without = shown.filter((one) => !Object.hasOwn(sentFields(one), name));
    const values = without.map((one) => itemIn(one)?.[name]);
    if (new Set(values).size > 1) return { shown: without, reason: `${name} is stored as varying` };
    if (values[0] !== undefined) defaults[name] = values[0];
  }
  const telling = shown.filter((one) =>
    optional.some((name) => !Object.hasOwn(sentFields(one), name)),
  );
  if (telling.length === 0) return undefined;
  return { answer: Object.keys(defaults).length === 0 ? 'absent' : defaults, shown: telling };
};

export const readUnknownBodyField: Reader = (source) => {
  const probes = [...probesOf(source, 'unknown-body-field').values()].flat();
  const withId = answeredFor(source.transcript, 'create-with-id').filter(isRefused);
  if (probes.length === 0) return undefined;
  const idForm = toCommonForm(withId);
  const reading = readOtherField(probes);
  if (!idForm || reading.answer === undefined) return reading;
  const answer = { other: reading.answer, id: toShortest(idForm) };
  return { answer, shown: [...probes, ...withId] };
};

function readOtherField(shown: readonly Answered[]): Reading {
  if (!shown.every(isStored)) return toRefusal(shown);
  const kept = shown.filter((one) => itemIn(one)?.noSuchField !== undefined);
  if (kept.length > 0 && kept.length < shown.length) return varied(shown);
  return { answer: kept.length > 0 ? 'stored' : 'dropped', shown };
}

export const readIntegerRange: Reader = (source) => {
  const shown = [...probesOf(source, 'integer-range').values()].flat();
  if (shown.length === 0) return undefined;
  if (shown.every(isStored))
    return { shown, reason: 'it is accepted, and the twin stores no integer beyond int64' };
  return toRefusal(shown);
};

export const readEmptyName = acceptedOr('empty-name');
export const readMediaType = acceptedOr('media-type');

const controls = /\p{Cc}/u;

export const readUnusualName: Reader = (source) => {
  const { markerProperty = '' } = planBodies(source.document, source.resource);
  const named = validCreates(source).flatMap((one) => {
    const name = sentFields(one)[markerProperty];
    return typeof name === 'string' && name !== '' ? [{ one, name }] : [];
  });
  const controlled = named.filter(({ name }) => controls.test(name)).map(({ one }) => one);
  const plain = named.filter(({ name }) => !controls.test(name));
  const stored = plain.filter(({ one }) => isStored(one));
  const longest = Math.max(0, ...stored.map(({ name }) => name.length));
  const tooLong = plain
    .filter(({ one, name }) => isRefused(one) && name.length > longest)
    .map(({ one }) => one);
  const long = plain.filter(({ name }) => name.length > 100).map(({ one }) => one);
  if (controlled.length + long.length === 0) return undefined;
  const answers: Record<string, unknown> = {};
  const [longForm, controlsForm] = [tooLong, controlled.filter(isRefused)].map(toCommonForm);
  if (longForm) Object.assign(answers, { max: longest, tooLong: toShortest(longForm) });
  if (controlsForm) answers.controls = toShortest(controlsForm);
  return {
    answer: Object.keys(answers).length > 0 ? answers : 'accepted',
    shown: [...controlled, ...long],
  };
};

export const readRepeatedCreate: Reader = (source) => {
  const { resource } = source;
  const probes = probesOf(source, 'repeated-create');
  const same = [...(probes.get('sent once') ?? []), ...(probes.get('sent again') ?? [])];
  if (same.length < 2) return undefined;
  const shown = same.toSorted((left, right) => left.endedAt - right.endedAt);
  const ids = new Set(shown.filter(isStored).map((one) => idOf(itemIn(one), resource.idProperty)));
  const refused = shown.filter(isRefused);
  if (refused.length === 0 && ids.size === shown.length) return { answer: 'two-items', shown };
  const by = whatIsUnique(probes, source) ?? 'body';
  const others = probes.get('sent with another value') ?? [];
  const form = toCommonForm(refused);
  const answer = refused.length === 0 ? 'same-item' : form && toShortest(form);
  if (answer === undefined || ids.size !== 1) return varied(shown);
  return { answer: { by, answer }, shown: [...shown, ...others] };
};

/** Which property makes a body a repeated one: another with the same name alone tells. */
function whatIsUnique(
  probes: ReadonlyMap<string, readonly Answered[]>,
  { document, resource }: Source,
): string | undefined {
  const other = probes.get('sent with another value') ?? [];
  const { markerProperty: name } = planBodies(document, resource);
  return other.length > 0 && other.every(isRefused) ? name : undefined;
}

/** How far apart the ids of a sequence may be, for each item. */
const maxStep = 4n;

export const readNewId: Reader = (source) => {
  const { idProperty, idSchema } = source.resource;
  const shown = validCreates(source).filter(isStored);
  const ids = shown.map((one) => idOf(itemIn(one), idProperty) ?? '');
  if (ids.length < 3) return undefined;
  if (idSchema.type !== 'integer' || !ids.every((id) => /^-?\d+$/.test(id)))
    return { shown, reason: 'the ids are no integers' };
  const numbers = ids.map(BigInt).toSorted((left, right) => (left < right ? -1 : 1));
  const span = (numbers.at(-1) as bigint) - (numbers[0] as bigint);
  if (span < BigInt(ids.length) * maxStep) return { answer: 'sequential', shown };
  const isWide = numbers.some((id) => id > BigInt(Number.MAX_SAFE_INTEGER));
  return { answer: isWide ? 'random-64' : 'random', shown };
};

export const readBodySize: Reader = (source) => {
  const probes = [...probesOf(source, 'body-size').values()].flat();
  if (probes.length === 0) return undefined;
  const size = ({ request }: Answered) => Buffer.byteLength(String(request.body ?? ''));
  const tooLarge = probes.filter(({ response }) => response.status === 413);
  const { create } = source.resource.operations;
  const others = allAnswers(source).filter(
    ({ case: { operation }, response }) => operation === create && response.status !== 413,
  );
  const max = Math.max(0, ...others.map(size));
  const form = toCommonForm(tooLarge);
  const shown = probes;
  if (tooLarge.length === 0 || !form || tooLarge.some((one) => size(one) <= max))
    return { shown, reason: `bodies of up to ${max} bytes are not called too large` };
  return { answer: { max, answer: toShortest(form) }, shown };
};

type Sighting = { at: number; isSeen: boolean };

export const readReadAfterCreate: Reader = (source) => {
  const { transcript, resource } = source;
  const created = transcript.exchanges
    .filter(isAnswered)
    .filter((one) => one.case.operation === resource.operations.create && isStored(one));
  if (created.length === 0) return undefined;
  const delays = { read: 0, list: 0 };
  const shown: Answered[] = [];
  for (const kind of ['read', 'list'] as const) {
    const late = created.flatMap((one) => {
      const sightings = sightingsOf(one, kind, source);
      if (sightings.length > 0) shown.push(one);
      return sightings.some(({ isSeen }) => !isSeen) && sightings.some(({ isSeen }) => isSeen)
        ? [sightings]
        : [];
    });
    for (const sightings of late) {
      const lastMissing = Math.max(
        ...sightings.filter(({ isSeen }) => !isSeen).map(({ at }) => at),
      );
      const firstSeen = Math.min(...sightings.filter(({ isSeen }) => isSeen).map(({ at }) => at));
      if (lastMissing > firstSeen)
        return { shown, reason: 'a created item is seen, and missing again later' };
      delays[kind] = Math.max(delays[kind], Math.ceil(firstSeen));
    }
  }
  if (shown.length === 0) return undefined;
  const late = Object.fromEntries(Object.entries(delays).filter(([, delay]) => delay > 0));
  if (Object.keys(late).length === 0 && readHistories(transcript, resource).isLate)
    return { shown, reason: 'some created items were missing at first' };
  return { answer: Object.keys(late).length === 0 ? 'immediately' : late, shown };
};

/** When a created item was looked for, in milliseconds since its creation, and whether it was there. */
function sightingsOf(
  create: Answered,
  kind: 'read' | 'list',
  { transcript, resource }: Source,
): Sighting[] {
  const { endedAt } = create;
  const id = idOf(itemIn(create), resource.idProperty);
  if (id === undefined) return [];
  return transcript.exchanges.filter(isAnswered).flatMap((one): Sighting[] => {
    const { operation, purpose } = one.case;
    if (one.sentAt < endedAt || one.response.status === 429) return [];
    const toSighting = (isSeen: boolean): Sighting => ({
      // It was there before the response came, or not yet when the request was sent.
      at: (isSeen ? one.endedAt : one.sentAt) - endedAt,
      isSeen,
    });
    if (kind === 'read')
      return operation === resource.operations.read && one.request.path.endsWith(`/${id}`)
        ? [toSighting(one.response.status === 200)]
        : [];
    const isWhole = purpose.kind === 'list' && Object.keys(purpose.filters).length === 0;
    if (operation !== resource.operations.list || !isWhole || !isList(one)) return [];
    const isSeen = itemsIn(one).some((item) => idOf(item, resource.idProperty) === id);
    const isFull = countOf(one) >= (purpose.limit ?? 0);
    return isSeen || !isFull ? [toSighting(isSeen)] : [];
  });
}

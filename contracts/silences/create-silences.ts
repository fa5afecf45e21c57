import { planBodies } from '../cases/bodies.ts';
import { type Answer, isAnswered } from '../transcript/exchange.ts';
import { readHistories } from '../transcript/histories.ts';
import { idOf, itemIn, sentFields } from '../transcript/items.ts';
import { mayRepeat } from '../transcript/repeats.ts';
import {
  allAnswers,
  isRefused,
  isStored,
  probesOf,
  type Reader,
  type Source,
  shortForm,
  toCommonForm,
  toRefusal,
  toShortest,
  validCreates,
  varied,
} from './reading.ts';

/** A probe that is either accepted or refused in one form. */
function acceptedOr(silence: string): Reader {
  return (source) => {
    const shown = [...probesOf(source, silence).values()]
      .flat()
      .filter((one) => !mayRepeat(source.transcript, one));
    return shown.every(isStored) ? { answer: 'accepted', shown } : toRefusal(shown);
  };
}

const readDefaultStatus: Reader = (source) => {
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

const readUnknownBodyField: Reader = (source) => {
  const shown = [...probesOf(source, 'unknown-body-field').values()].flat();
  if (!shown.every(isStored)) return toRefusal(shown);
  const kept = shown.filter((one) => itemIn(one)?.noSuchField !== undefined);
  if (kept.length > 0 && kept.length < shown.length) return varied(shown);
  return { answer: kept.length > 0 ? 'stored' : 'dropped', shown };
};

const readIntegerRange: Reader = (source) => {
  const shown = [...probesOf(source, 'integer-range').values()].flat();
  if (shown.every(isStored))
    return { shown, reason: 'it is accepted, and the mock stores no integer beyond int64' };
  const form = toCommonForm(shown);
  return form ? { shown, reason: shortForm(form) } : varied(shown);
};

const readUnusualName: Reader = (source) => {
  const { markerProperty = '' } = planBodies(source.document, source.resource);
  const named = validCreates(source).map((one) => {
    const name = sentFields(one)[markerProperty];
    return { one, length: typeof name === 'string' ? name.length : 0 };
  });
  const long = named.filter(({ length }) => length > 100).map(({ one }) => one);
  if (long.length === 0) return undefined;
  const max = Math.max(0, ...named.filter(({ one }) => isStored(one)).map(({ length }) => length));
  const tooLong = named.filter(({ one, length }) => length > max && isRefused(one));
  const form = toCommonForm(tooLong.map(({ one }) => one));
  return { answer: form ? { max, tooLong: toShortest(form) } : 'accepted', shown: long };
};

const readRepeatedCreate: Reader = (source) => {
  const probes = probesOf(source, 'repeated-create');
  const same = [...(probes.get('sent once') ?? []), ...(probes.get('sent again') ?? [])];
  if (same.length < 2) return undefined;
  const shown = same.toSorted((left, right) => left.endedAt - right.endedAt);
  const { idProperty } = source.resource;
  const ids = new Set(shown.filter(isStored).map((one) => idOf(itemIn(one), idProperty)));
  const refused = shown.filter(isRefused);
  if (ids.size === shown.length) return { answer: 'two-items', shown };
  const form = toCommonForm(refused);
  if (!form || ids.size !== 1)
    return { shown, reason: 'it is answered with the first item, or in several ways' };
  const by = whatIsUnique(probes, source) ?? 'body';
  const others = probes.get('sent with another value') ?? [];
  return { answer: { by, answer: toShortest(form) }, shown: [...shown, ...others] };
};

/** Which property makes a body a repeated one: another with the same name alone tells. */
function whatIsUnique(
  probes: ReadonlyMap<string, readonly Answer[]>,
  { document, resource }: Source,
): string | undefined {
  const other = probes.get('sent with another value') ?? [];
  const { markerProperty: name } = planBodies(document, resource);
  return other.length > 0 && other.every(isRefused) ? name : undefined;
}

/** How far apart the ids of a sequence may be, for each item. */
const maxStep = 4n;

const readNewId: Reader = (source) => {
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

const readBodySize: Reader = (source) => {
  const shown = [...probesOf(source, 'body-size').values()].flat();
  const size = ({ request }: Answer) => Buffer.byteLength(String(request.body ?? ''));
  const tooLarge = shown.filter(({ response }) => response.status === 413);
  const { create } = source.resource.operations;
  const others = allAnswers(source).filter(
    ({ case: { operation }, response }) => operation === create && response.status !== 413,
  );
  const max = Math.max(0, ...others.map(size));
  const form = toCommonForm(tooLarge);
  if (tooLarge.length === 0 || !form || tooLarge.some((one) => size(one) <= max))
    return { shown, reason: `bodies of up to ${max} bytes are not called too large` };
  return { answer: { max, answer: toShortest(form) }, shown };
};

const readReadAfterCreate: Reader = ({ transcript, resource }) => {
  const { create } = resource.operations;
  const { isLate, isSeenAfter } = readHistories(transcript, resource);
  const shown = transcript.exchanges
    .filter(isAnswered)
    .filter(({ case: { operation } }) => operation === create)
    .filter((one) => isSeenAfter(idOf(itemIn(one), resource.idProperty) ?? '', one.endedAt));
  return isLate
    ? { shown, reason: 'some created items were missing at first' }
    : { answer: 'immediately', shown };
};

/** Readers of creates, by silence. */
export const createReaders: Readonly<Record<string, Reader>> = {
  'default-status': readDefaultStatus,
  'unknown-body-field': readUnknownBodyField,
  'integer-range': readIntegerRange,
  'empty-name': acceptedOr('empty-name'),
  'media-type': acceptedOr('media-type'),
  'unknown-category': acceptedOr('unknown-category'),
  'unusual-name': readUnusualName,
  'repeated-create': readRepeatedCreate,
  'new-id': readNewId,
  'body-size': readBodySize,
  'read-after-create': readReadAfterCreate,
};

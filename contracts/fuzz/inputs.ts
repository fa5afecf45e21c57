import type { Arbitrary } from 'fast-check';
import type { Api, Parameter } from '../../openapi/index.ts';
import { isOtherwiseDescribed } from '../../openapi/model/operation.ts';
import { hasPlaceholder } from '../cases/placeholders.ts';
import { createValid, type FastCheck } from './arbitraries.ts';
import { type Change, type Input, inputOf, interleave } from './input.ts';
import {
  naughtyAccepts,
  naughtyBodies,
  naughtyHeaders,
  naughtyNumbers,
  naughtyQueries,
  naughtySegments,
  naughtyTexts,
  naughtyTypes,
  withMark,
} from './naughty.ts';
import type { Place, Subject } from './subject.ts';
import { isOfNumber, isOfText, triedValues } from './values.ts';

/** How many things a random input changes at most. */
const maxChanges = 4;

/** Inputs of an operation that each differ from a plain call in one thing, the most telling first. */
export function singleInputs(document: Api, subject: Subject): Input[] {
  const { operation, does, body, parameters } = subject;
  const ofParameters = parameters
    .filter((one) => !isOtherwiseDescribed(one))
    .map((one) => inputsOfParameter(subject, one));
  const ofPlaces = (body?.places ?? []).map((place) => inputsOfPlace(document, place));
  const ofBody = body
    ? [
        naughtyBodies.map(([what, text]) => inputOf(what, { in: 'text', text })),
        naughtyTypes.map(([mediaType, text]) =>
          inputOf(`a body sent as ${mediaType || 'no media type'}`, {
            ...{ in: 'type', mediaType },
            ...(text !== undefined && { text }),
          } as Change),
        ),
      ]
    : [];
  const typed = naughtyTypes
    .filter(([mediaType]) => !body && does === 'read' && mediaType !== '')
    .map(([mediaType]) =>
      inputOf(`Content-Type: ${mediaType}`, {
        in: 'header',
        name: 'Content-Type',
        text: mediaType,
      }),
    );
  const accepts = naughtyAccepts.map((text) =>
    inputOf(`Accept: ${text}`, { in: 'header', name: 'Accept', text }),
  );
  const credentials = (['none', 'unknown', 'empty', 'scheme-only'] as const).map((form) =>
    inputOf(`credential ${form}`, { in: 'credential', form }),
  );
  const methods = does === 'read' ? ['TRACE', 'QUERY', 'HEAD'] : [];
  const ofMethods = methods
    .filter((method) => method !== operation.method)
    .map((method) => inputOf(method, { in: 'method', method }));
  return interleave([
    ...ofPlaces,
    ...ofParameters,
    ...ofBody,
    operation.waysIn.length > 0 ? credentials : [],
    interleave([accepts, typed, ofMethods]),
  ]);
}

function inputsOfPlace(document: Api, { at, schema, isMark }: Place): Input[] {
  const name = at.join('.');
  const resolved = document.schemas.resolve(schema);
  const toInput = (what: string, value: unknown) =>
    inputOf(`${name}: ${what}`, { in: 'body', at, value });
  // Without its mark, an item that is made could not be deleted.
  const tried = triedValues(document, schema).filter(
    ({ value, isValid }) => !isMark || !isValid || isLongText(value),
  );
  const texts = naughtyTexts.map(([what, text]) =>
    toInput(what, isMark && text !== '' ? withMark(text) : text),
  );
  const numbers = naughtyNumbers.map((json) =>
    inputOf(`${name}: ${json.slice(0, 24)}`, { in: 'body', at, json }),
  );
  const twice = inputOf(`${name} twice`, {
    ...{ in: 'body', at },
    json: `"first",${JSON.stringify(at.at(-1))}:"${isMark ? withMark('second') : 'second'}"`,
  } as Change);
  return interleave([
    [
      ...tried.map(({ what, value }) =>
        toInput(what, isMark && isLongText(value) ? marked(value) : value),
      ),
      twice,
    ],
    [inputOf(`no ${name}`, { in: 'body', at, isRemoved: true })],
    isOfText(resolved) ? texts : texts.slice(0, 3),
    isOfNumber(resolved) ? numbers : numbers.slice(0, 2),
  ]);
}

function isLongText(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 12;
}

/** A text as long as before, whose end is the mark of the run. */
function marked(text: string): string {
  return `${text.slice(12)}{{run}}{{fresh}}`;
}

/** Another value of a parameter; a path is changed only where the call reads. */
function inputsOfParameter({ does }: Subject, { name, in: place }: Parameter): Input[] {
  const named = (what: string) => `${place} ${name}: ${what}`;
  if (place === 'path')
    return does === 'read'
      ? naughtySegments.map(([what, text]) => inputOf(named(what), { in: 'path', name, text }))
      : [];
  if (place === 'query')
    return naughtyQueries.map(([what, texts]) =>
      inputOf(named(what), { in: 'query', name, texts }),
    );
  if (place === 'header')
    return naughtyHeaders.map(([what, text]) => inputOf(named(what), { in: 'header', name, text }));
  return [];
}

/** Creates the arbitrary of inputs that differ from a plain call in several things. */
export function createRandomInput(
  fc: FastCheck,
  document: Api,
  subject: Subject,
): Arbitrary<Input> | undefined {
  const valid = createValid(fc, document);
  const singles = singleInputs(document, subject).flatMap(({ what, changes: [change] }) =>
    change?.in === 'body' || change?.in === 'query' || change?.in === 'header'
      ? [{ what, change }]
      : [],
  );
  // An item that is created keeps its mark.
  const places = (subject.body?.places ?? []).filter(
    ({ isMark, at }) => !isMark && !hasPlaceholder(at.join('.')),
  );
  const free = places.map(({ at, schema }) =>
    valid(schema).map((value) => ({
      what: at.join('.'),
      change: { in: 'body', at, value } as Change,
    })),
  );
  const ofSingles = singles.length > 0 ? [fc.constantFrom(...singles)] : [];
  const each = [...free, ...ofSingles];
  if (each.length === 0) return undefined;
  return fc.array(fc.oneof(...each), { minLength: 1, maxLength: maxChanges }).map((all) => ({
    what: `random: ${all.map(({ what }) => what).join(', ')}`,
    changes: all.map(({ change }) => change),
  }));
}

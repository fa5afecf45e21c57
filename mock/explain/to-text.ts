import { styleText } from 'node:util';
import { mapLeaves } from '../../common/json.ts';
import { toVisible } from '../../common/look/visible.ts';
import type { ParameterEffect } from '../../openapi/index.ts';
import type { AnswerSource } from '../documented/answer-source.ts';
import type { TriggeredCallView } from '../extras/webhooks/triggers.ts';
import type { Filling } from '../items/fillings.ts';
import type { CollectionExplanation, Explanation, OperationExplanation } from './explanation.ts';

const inWords: Readonly<Record<AnswerSource, string>> = {
  store: 'stored items',
  item: 'the item in its path, unchanged',
  example: 'an example from the document',
  schema: 'a value generated from the schema',
  'no content': 'no content',
  nothing: '501: the document describes no response',
};

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The explanation for a terminal. Colour is left out where standard output shows none. */
export function toText(explanation: Explanation): string {
  const { document, totals, collections, operations, webhooks, warnings } = toPlain(explanation);
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
  const stateless = operations.filter(({ answers }) => answers !== 'store');
  const ruled = operations.filter(({ rules }) => rules !== undefined);
  const own = operations.filter(({ behaviour }) => behaviour !== undefined);
  const singles = operations.filter(({ kind, answers }) => !kind && answers === 'store');
  const corrected =
    document.overlays.length > 0 ? `, corrected by ${document.overlays.join(', ')}` : '';
  const lines = [
    `${bold(`${document.title} ${document.version}`)} (${document.openapi}${corrected})`,
    `${plural(totals.operations, 'operation')}: ${totals.withState} with state${toPlaces(totals)}, ${stateless.length} without`,
    ...collections.flatMap((one) => ['', ...toCollectionLines(one, operations, bold)]),
    ...(singles.length > 0 ? ['', bold('Singletons, actions and HEAD')] : []),
    ...singles.flatMap(toReasonLines),
    ...(ruled.length > 0 ? ['', bold('Rules in x-twin')] : []),
    ...toOperationLines(ruled, ({ rules = [] }) => rules.join(', ')),
    ...(own.length > 0 ? ['', bold('Behaviours of your own')] : []),
    ...toOperationLines(own, ({ behaviour = '' }) => behaviour),
    ...(stateless.length > 0 ? ['', bold('Without state')] : []),
    ...[...Map.groupBy(stateless, ({ answers }) => answers)].flatMap(([answers, all]) => [
      `  answered with ${inWords[answers]}:`,
      ...all.flatMap(toReasonLines),
    ]),
    ...(webhooks.length > 0 ? ['', bold('Webhooks and callbacks')] : []),
    ...webhooks.flatMap(toCallLines),
    ...(warnings.length > 0
      ? ['', bold(`${plural(warnings.length, 'part')} that cannot be used as written`)]
      : []),
    ...warnings.map(({ pointer, problem }) => `  ${pointer}: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns a phrase that counts the collections and singletons with state. */
function toPlaces({ collections, singleObjects }: Explanation['totals']): string {
  const places = [
    ...(collections > 0 ? [plural(collections, 'collection')] : []),
    ...(singleObjects > 0 ? [plural(singleObjects, 'singleton')] : []),
  ];
  return places.length > 0 ? ` in ${places.join(' and ')}` : '';
}

/** Returns a value whose texts are safe to show: terminals take some characters for commands. */
function toPlain<Value>(value: Value): Value {
  const toLeaf = (leaf: unknown) => (typeof leaf === 'string' ? toVisible(leaf) : leaf);
  return mapLeaves(value, toLeaf, toVisible) as Value;
}

function toCollectionLines(
  {
    name,
    id,
    scope,
    list,
    wrapped,
    unique,
    parameters,
    filled = {},
    ...others
  }: CollectionExplanation,
  all: readonly OperationExplanation[],
  bold: (text: string) => string,
): string[] {
  const parents = scope.map(({ parameter, parent }) =>
    parent === undefined
      ? `{${parameter}} accepts any text`
      : `{${parameter}} is an item of ${parent}`,
  );
  const form = list?.fields.map(({ role, path }) => `, ${role} in ${path}`);
  const facts = [
    `items are identified by ${id.property} (${id.form})`,
    ...parents,
    ...(wrapped ? [`responses and bodies wrap the item in ${wrapped.join(', ')}`] : []),
    ...(unique ? [`${unique.join(', ')} ${unique.length > 1 ? 'are' : 'is'} unique`] : []),
    ...(list ? [`lists have the items in ${list.items}${form?.join('')}`] : []),
    ...Object.entries(effectWords).flatMap(([effect, toFact]) => {
      const names = parameters.filter((one) => one.effect === effect);
      return names.length > 0 ? [toFact(names.map(({ parameter }) => parameter).join(', '))] : [];
    }),
    ...Object.entries(fillingWords).flatMap(([as, words]) => {
      const names = Object.keys(filled).filter((one) => filled[one] === as);
      return names.length > 0 ? [`creates fill ${toShortList(names)} with ${words}`] : [];
    }),
    ...(others.references ?? []).map(
      ({ property, collection }) => `${property} refers to ${collection}`,
    ),
  ];
  const kindOf = new Map(
    Object.entries(others.operations).map(([kind, operation]) => [operation, kind]),
  );
  return [
    bold(name),
    ...facts.map((fact) => `  ${fact}`),
    ...toOperationLines(
      all.filter((one) => one.collection === name || one.besides === name),
      (one) => kindOf.get(one.id) ?? one.kind ?? `without state: ${toStay(one.method)}`,
    ),
  ];
}

/** Returns the effect that a stateless operation lacks on the collection at its path. */
function toStay(method: string): string {
  return method === 'GET' ? 'does not read these items' : 'does not change these items';
}

const effectWords: Readonly<Record<ParameterEffect['effect'], (names: string) => string>> = {
  'page size': (names) => `page size: ${names}`,
  page: (names) => `page number: ${names}`,
  offset: (names) => `items to skip: ${names}`,
  cursor: (names) => `cursor: ${names}`,
  sort: (names) => `sort: ${names}`,
  search: (names) => `search: ${names}`,
  filter: (names) => `filters: ${names}`,
  none: (names) => `no effect: ${names}`,
};

/** Lists the first names, and counts the others. */
function toShortList(names: readonly string[]): string {
  const more = names.length > 8 ? [`${names.length - 8} more`] : [];
  return [...names.slice(0, 8), ...more].join(', ');
}

const fillingWords: Readonly<Record<Filling['as'], string>> = {
  now: 'the time',
  default: 'the stated default',
  constant: 'the same value for each item',
  choice: 'a value of the enum',
  counter: 'the first count',
  made: 'a made value',
};

function toReasonLines(operation: OperationExplanation) {
  const { method, path, because, pointer, remedy, overlay } = operation;
  const wayOut = [remedy, overlay && 'add to an overlay:'].filter((one) => one !== undefined);
  return [
    `    ${method} ${path}`,
    `      ${because}`,
    ...(pointer === undefined ? [] : [`      at ${pointer}`]),
    ...(wayOut.length > 0 ? [`      to add state: ${wayOut.join(', or ')}`] : []),
    ...(overlay ? toActionLines(overlay, '      ') : []),
  ];
}

function toCallLines({ name, callbackOf, after }: TriggeredCallView): string[] {
  const reasons = after.map(({ event, operations }) =>
    operations.every((one) => one === callbackOf)
      ? `sent after ${callbackOf}, which describes this callback`
      : `sent after ${operations.join(', ')}: the event name ${event} matches`,
  );
  if (reasons.length === 0)
    reasons.push('sent only by emit in a behaviour: its name matches no operation');
  return [`    ${name}`, ...reasons.map((reason) => `      ${reason}`)];
}

/** An action of an overlay, to paste below `actions:`. */
export function toActionLines(
  { target, update }: NonNullable<OperationExplanation['overlay']>,
  indent: string,
): string[] {
  const toValue = (value: string) => (/^[\w/.-]+$/.test(value) ? value : JSON.stringify(value));
  const members = Object.entries(update['x-twin']).map(([name, one]) => `${name}: ${toValue(one)}`);
  return [
    `${indent}- target: ${target}`,
    `${indent}  update: { x-twin: { ${members.join(', ')} } }`,
  ];
}

function toOperationLines(
  operations: readonly OperationExplanation[],
  toWord: (operation: OperationExplanation) => string,
): string[] {
  const width = Math.min(
    60,
    Math.max(...operations.map(({ method, path }) => method.length + path.length + 1)),
  );
  return operations.map((operation) => {
    const { method, path } = operation;
    return `    ${`${method} ${path}`.padEnd(width)}  ${toWord(operation)}`;
  });
}

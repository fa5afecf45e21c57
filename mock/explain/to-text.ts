import { styleText } from 'node:util';
import type { ParameterEffect } from '../../contracts/description/collections/list-rules.ts';
import { toVisible } from '../../contracts/look/visible.ts';
import type { AnswerSource } from '../documented/answer-source.ts';
import type { CollectionExplanation, Explanation, OperationExplanation } from './explanation.ts';

const inWords: Readonly<Record<AnswerSource, string>> = {
  store: 'what is stored',
  item: 'the item in its path, unchanged',
  example: 'an example of the document',
  schema: 'a value generated from the schema',
  'no content': 'no content',
  nothing: '501, as no response is described',
};

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The explanation for a terminal. Colour is left out where standard output shows none. */
export function toText(explanation: Explanation): string {
  const { document, totals, collections, operations, warnings } = toPlain(explanation);
  const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
  const stateless = operations.filter(({ answers }) => answers !== 'store');
  const singles = operations.filter(({ kind, answers }) => !kind && answers === 'store');
  const corrected =
    document.overlays.length > 0 ? `, corrected by ${document.overlays.join(', ')}` : '';
  const lines = [
    `${bold(`${document.title} ${document.version}`)} (${document.openapi}${corrected})`,
    `${plural(totals.operations, 'operation')}: ${totals.withState} with state${toPlaces(totals)}, ${stateless.length} without`,
    ...collections.flatMap((one) => ['', ...toCollectionLines(one, operations, bold)]),
    ...(singles.length > 0 ? ['', bold('Single objects, actions and HEAD')] : []),
    ...singles.flatMap(toReasonLines),
    ...(stateless.length > 0 ? ['', bold('Without state')] : []),
    ...[...Map.groupBy(stateless, ({ answers }) => answers)].flatMap(([answers, all]) => [
      `  answered with ${inWords[answers]}:`,
      ...all.flatMap(toReasonLines),
    ]),
    ...(warnings.length > 0
      ? ['', bold(`${plural(warnings.length, 'part')} that cannot be used as written`)]
      : []),
    ...warnings.map(({ pointer, problem }) => `  ${pointer}: ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Where the state is. */
function toPlaces({ collections, singleObjects }: Explanation['totals']): string {
  const places = [
    ...(collections > 0 ? [plural(collections, 'collection')] : []),
    ...(singleObjects > 0 ? [plural(singleObjects, 'single object')] : []),
  ];
  return places.length > 0 ? ` in ${places.join(' and ')}` : '';
}

/** The same with each text as it can be shown: a terminal takes some characters for commands. */
function toPlain<Value>(value: Value): Value {
  if (typeof value === 'string') return toVisible(value) as Value;
  if (Array.isArray(value)) return value.map(toPlain) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [toPlain(name), toPlain(member)]);
  return Object.fromEntries(members);
}

function toCollectionLines(
  { name, id, scope, list, wrapped, unique, parameters, ...others }: CollectionExplanation,
  all: readonly OperationExplanation[],
  bold: (text: string) => string,
): string[] {
  const parents = scope.map(({ parameter, parent }) =>
    parent === undefined
      ? `{${parameter}} may be any text`
      : `{${parameter}} is an item of ${parent}`,
  );
  const form = list?.fields.map(({ role, path }) => `, ${role} in ${path}`);
  const facts = [
    `items are identified by ${id.property} (${id.form})`,
    ...parents,
    ...(wrapped ? [`answers and bodies hold the item in ${wrapped.join(', ')}`] : []),
    ...(unique ? [`no two items have the same ${unique.join(', ')}`] : []),
    ...(list ? [`lists hold the items in ${list.items}${form?.join('')}`] : []),
    ...Object.entries(effectWords).flatMap(([effect, toFact]) => {
      const names = parameters.filter((one) => one.effect === effect);
      return names.length > 0 ? [toFact(names.map(({ parameter }) => parameter).join(', '))] : [];
    }),
    ...(others.references ?? []).map(
      ({ property, collection }) => `${property} holds the id of an item of ${collection}`,
    ),
  ];
  const own = all.filter((one) => one.collection === name);
  const kindOf = new Map(
    Object.entries(others.operations).map(([kind, operation]) => [operation, kind]),
  );
  return [
    bold(name),
    ...facts.map((fact) => `  ${fact}`),
    ...toOperationLines(own, (operation) => kindOf.get(operation.id) ?? operation.kind ?? ''),
  ];
}

const effectWords: Readonly<Record<ParameterEffect['effect'], (names: string) => string>> = {
  'page size': (names) => `${names} bounds a list`,
  page: (names) => `${names} asks for a page by its number`,
  offset: (names) => `${names} says how many items to skip`,
  cursor: (names) => `${names} asks for what is beside a cursor`,
  sort: (names) => `sorted by ${names}`,
  search: (names) => `searched by ${names}`,
  filter: (names) => `filtered by ${names}`,
  none: (names) => `without effect: ${names}`,
};

function toReasonLines(operation: OperationExplanation) {
  const { method, path, because, pointer, remedy, overlay } = operation;
  const wayOut = [remedy, overlay && 'in an overlay'].filter((one) => one !== undefined);
  return [
    `    ${method} ${path}`,
    `      ${because}`,
    ...(pointer === undefined ? [] : [`      at ${pointer}`]),
    ...(wayOut.length > 0 ? [`      for state: ${wayOut.join(', or ')}`] : []),
    ...(overlay ? toActionLines(overlay) : []),
  ];
}

/** An action of an overlay, to paste below `actions:`. */
function toActionLines({ target, update }: NonNullable<OperationExplanation['overlay']>): string[] {
  const toValue = (value: string) => (/^[\w/.-]+$/.test(value) ? value : JSON.stringify(value));
  const members = Object.entries(update['x-twin']).map(([name, one]) => `${name}: ${toValue(one)}`);
  return [`      - target: ${target}`, `        update: { x-twin: { ${members.join(', ')} } }`];
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

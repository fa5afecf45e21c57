import { isObject } from '../../common/json.ts';
import { fromToken } from '../../common/json-pointer.ts';
import { nodeHttp } from '../../common/node-http.ts';
import { toPlainName } from '../../common/words.ts';
import type { ErrorProblem } from '../answers/answer.ts';

/** Holds the facts of an error that fill the form of a document. */
export type ErrorFacts = {
  code: string | number;
  message: string;
  status: number;
  problems: readonly ErrorProblem[];
  /** Path of the request as it was sent, without its query. */
  path: string;
  method: string;
  /** In Unix milliseconds. */
  now: number;
  /** The one of the problems that a part of the form is about. */
  problem?: ErrorProblem;
};

/**
 * Returns the possible values of a member, the likeliest first; `siblings` are plain names beside
 * it.
 */
type Say = (facts: ErrorFacts, siblings: ReadonlySet<string>) => unknown[];

/** The words for a status, such as "Not Found". */
function phraseOf(status: number): string {
  return nodeHttp.STATUS_CODES[status] ?? 'Error';
}

/** The name of what a problem is about, such as `address.city`. */
export function fieldOf({ name, pointer }: ErrorProblem): string {
  return name ?? (partsOf(pointer).join('.') || 'body');
}

/** The parts of a JSON pointer. */
export function partsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(fromToken);
}

/** Whether one of some plain names is that of a sentence about the error. */
export function isSpoken(names: ReadonlySet<string>): boolean {
  return [...names].some((name) => spoken.test(name));
}
const spoken = /(message|msg|detail|description|errorsummary|diagnostics)$/;

const sayMessage: Say = ({ message, problem }) => [problem?.problem ?? message];
const sayName: Say = ({ problem }) => [problem && fieldOf(problem)];

const sayError: Say = (facts, siblings) => {
  const isPhrase = siblings.has('timestamp') || siblings.has('statuscode');
  const text = isSpoken(siblings) ? facts.code : sayMessage(facts, siblings)[0];
  return [isPhrase ? phraseOf(facts.status) : text, true];
};

const sayStatus: Say = ({ status }, siblings) => {
  const inCapitals = phraseOf(status)
    .toUpperCase()
    .replaceAll(/[^A-Z]+/g, '_');
  const isWord = siblings.has('code') && isSpoken(siblings) && !siblings.has('title');
  return [status, isWord ? inCapitals : String(status)];
};

const sayType: Say = ({ code, problem }, siblings) => [
  problem || !siblings.has('title') ? code : 'about:blank',
];

const says: Readonly<Record<string, Say>> = {
  ...each('details reason text info explanation', sayMessage),
  ...each('title statustext summary', ({ status }) => [phraseOf(status)]),
  ...each('code errorcode errortype', ({ code, status }) => [code, status]),
  ...each('type kind', sayType),
  error: sayError,
  ...each('status statuscode httpstatus', sayStatus),
  ...each('success ok', () => [false]),
  path: (facts, siblings) => (facts.problem ? sayName(facts, siblings) : [facts.path]),
  ...each('instance url uri', ({ path }) => [path]),
  method: ({ method }) => [method],
  ...each('timestamp time date', ({ now }) => [new Date(now).toISOString(), now]),
  ...each('in location', ({ problem }) => [problem?.in]),
  ...each('name key target', sayName),
  ...each('field property param attribute', ({ problem, problems: [first] }) => {
    const known = problem ?? first;
    return [known && fieldOf(known)];
  }),
  parameter: ({ problem }) => [problem && problem.in !== 'body' ? fieldOf(problem) : undefined],
  pointer: ({ problem }) => [problem?.in === 'body' ? problem.pointer : undefined],
};

function each(names: string, say: Say): Record<string, Say> {
  return Object.fromEntries(names.split(' ').map((name) => [name, say]));
}

/**
 * Returns the possible values of a member by its name, the likeliest first; none for other names.
 */
export function saidBy(
  name: string,
  facts: ErrorFacts,
  siblings: ReadonlySet<string>,
): readonly unknown[] {
  const said = sayOf(name)?.(facts, siblings) ?? [];
  return said.filter((one) => one !== undefined);
}

/**
 * Returns the code that an example shows of an error, itself or in an object, where the form of the
 * error would have its own; undefined if the example is about another field.
 */
export function codeIn(example: unknown, facts: ErrorFacts): ErrorFacts['code'] | undefined {
  if (!isObject(example)) return undefined;
  const members = Object.entries(example);
  const siblings = new Set(members.map(([name]) => toPlainName(name)));
  const isOther = ([name, value]: [string, unknown]) => {
    const said = sayOf(name) === says.field ? saidBy(name, facts, siblings) : [value];
    return said.length > 0 && !said.includes(value);
  };
  if (members.some(isOther)) return undefined;
  const isCode = ([name, value]: [string, unknown]) =>
    ['string', 'number'].includes(typeof value) && saidBy(name, facts, siblings)[0] === facts.code;
  const inner = members.map(([, value]) => codeIn(value, facts));
  return (
    (members.find(isCode)?.[1] as ErrorFacts['code']) ?? inner.find((one) => one !== undefined)
  );
}

/** Whether a name is that of a fact that some errors have. */
export function isFact(name: string): boolean {
  return sayOf(name) !== undefined;
}

function sayOf(name: string): Say | undefined {
  const plain = toPlainName(name);
  if (Object.hasOwn(says, plain)) return says[plain];
  return spoken.test(plain) ? sayMessage : undefined;
}

/** Names for lists and objects of what is wrong, one by one. */
export function listsProblems(name: string): boolean {
  return /^((field|validation)?(errors?|violations|messages?)|issues?|problems|details?|invalidparams|fields)$/.test(
    toPlainName(name),
  );
}

/** Names for objects that say what is wrong. */
export function isOfError(name: string): boolean {
  return /^(error|fault|problem)s?$/.test(toPlainName(name)) || listsProblems(name);
}

/**
 * Whether a name is one for lists of errors. Such a list also describes errors outside the request.
 */
export function listsErrors(name: string): boolean {
  return /^(errors?|messages?|issues?|problems|detail)$/.test(toPlainName(name));
}

/** Lists words by which codes express a status, besides its own phrase. */
const bySynonym: Readonly<Record<number, string>> = {
  400: 'validation invalid',
  401: 'unauthenticated',
  403: 'permissiondenied accessdenied',
  404: 'nosuch doesnotexist resourcemissing',
  409: 'alreadyexists duplicate',
  422: 'validation invalid',
  429: 'ratelimit',
  500: 'internal apierror',
};

/** The one of some values that says most of an error; undefined where none does. */
export function chooseValue(values: readonly unknown[], { code, status }: ErrorFacts): unknown {
  const wanted = [
    ...[String(code), String(status), phraseOf(status)].map(toPlainName),
    ...(bySynonym[status]?.split(' ') ?? []),
    ...(status < 500 ? ['invalidrequest', 'badrequest'] : []),
    'error',
  ];
  const nameOf = (value: unknown) => toPlainName(String(value));
  const found = [
    ...wanted.map((want) => values.find((value) => nameOf(value) === want)),
    ...wanted.map((want) => values.find((value) => nameOf(value).includes(want))),
  ];
  return found.find((value) => value !== undefined);
}

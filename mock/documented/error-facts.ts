import { STATUS_CODES } from 'node:http';
import type { ErrorProblem } from '../answers/answer.ts';

/** What is known of an error, to be put into the form that a document describes. */
export type ErrorFacts = {
  code: string;
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

type Role = (facts: ErrorFacts, siblings: ReadonlySet<string>) => string | undefined;

/** A name without case and separators. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The words for a status, such as "Not Found". */
function phraseOf(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

const messageOf: Role = ({ message, problem }) => problem?.problem ?? message;
const nameOf: Role = ({ problem }) => problem && fieldOf(problem);
const timeOf: Role = ({ now }) => new Date(now).toISOString();

/** The name of what a problem is about, such as `address.city`. */
export function fieldOf({ name, pointer }: ErrorProblem): string {
  return name ?? (partsOf(pointer).join('.') || 'body');
}

/** The parts of a JSON pointer. */
export function partsOf(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Whether one of some plain names is that of what says what happened. */
export function isSpoken(names: ReadonlySet<string>): boolean {
  return spoken.some((name) => names.has(name));
}
const spoken = ['message', 'msg', 'detail', 'description', 'errordescription', 'errormessage'];

const ofError: Role = (facts, siblings) => {
  if (siblings.has('timestamp') || siblings.has('statuscode')) return phraseOf(facts.status);
  return isSpoken(siblings) ? facts.code : messageOf(facts, siblings);
};

const ofStatus: Role = ({ status }, siblings) =>
  siblings.has('code') && isSpoken(siblings) && !siblings.has('title')
    ? phraseOf(status)
        .toUpperCase()
        .replace(/[^A-Z]+/g, '_')
    : String(status);

const ofType: Role = ({ code, problem }, siblings) =>
  problem || !siblings.has('title') ? code : 'about:blank';

/** What texts of these names say, the names without case and separators. */
const texts: Readonly<Record<string, Role>> = {
  ...each('message msg detail details description errordescription errormessage', messageOf),
  ...each('reason text info explanation', messageOf),
  ...each('title statustext summary', ({ status }) => phraseOf(status)),
  ...each('code errorcode errortype', ({ code }) => code),
  ...each('type kind', ofType),
  error: ofError,
  ...each('status statuscode httpstatus', ofStatus),
  path: (facts, siblings) => (facts.problem ? nameOf(facts, siblings) : facts.path),
  ...each('instance url uri', ({ path }) => path),
  method: ({ method }) => method,
  ...each('timestamp time date', timeOf),
  ...each('in location', ({ problem }) => problem?.in),
  ...each('field property param attribute name key target', nameOf),
  parameter: ({ problem }) => (problem && problem.in !== 'body' ? fieldOf(problem) : undefined),
  pointer: ({ problem }) => (problem?.in === 'body' ? problem.pointer : undefined),
};

function each(names: string, role: Role): Record<string, Role> {
  return Object.fromEntries(names.split(' ').map((name) => [name, role]));
}

/** What a text of a name says of an error; undefined where that is not known. */
export function textFor(
  name: string,
  facts: ErrorFacts,
  siblings: ReadonlySet<string>,
): string | undefined {
  const plain = plainName(name);
  return Object.hasOwn(texts, plain) ? texts[plain]?.(facts, siblings) : undefined;
}

/** Whether a name is that of something that is known of some errors, if not of all. */
export function isFact(name: string): boolean {
  return Object.hasOwn(texts, plainName(name));
}

/** What a number of a name says of an error. */
export function numberFor(name: string, { status, now }: ErrorFacts): number | undefined {
  const plain = plainName(name);
  if (/^(http)?(status|code|errorcode|statuscode)$/.test(plain)) return status;
  return plain === 'timestamp' ? now : undefined;
}

/** What a yes or no of a name says of an error. */
export function flagFor(name: string): boolean | undefined {
  const plain = plainName(name);
  if (/^(success|ok)$/.test(plain)) return false;
  return plain === 'error' ? true : undefined;
}

/** Names for lists and objects of what is wrong, one by one. */
export function listsProblems(name: string): boolean {
  return /^((field|validation)?(errors?|violations|messages)|issues|problems|details?|invalidparams|fields)$/.test(
    plainName(name),
  );
}

/** Names for objects that say what is wrong. */
export function isOfError(name: string): boolean {
  return /^(error|fault|problem)s?$/.test(plainName(name)) || listsProblems(name);
}

/** Names for lists of errors, which say what is wrong even where it is no part of the request. */
export function listsErrors(name: string): boolean {
  return /^(errors?|messages?|issues|problems|detail)$/.test(plainName(name));
}

/** What codes say of a status in other words than its own. */
const bySynonym: Readonly<Record<number, string>> = {
  400: 'validation invalid',
  401: 'unauthenticated',
  403: 'permissiondenied accessdenied',
  409: 'alreadyexists duplicate',
  422: 'validation invalid',
  429: 'ratelimit',
  500: 'internal apierror',
};

/** The one of some values that says most of an error; undefined where none does. */
export function chooseValue(values: readonly unknown[], facts: ErrorFacts): unknown {
  const { code, status } = facts;
  const wanted = [
    ...[code, String(status), phraseOf(status)].map(plainName),
    ...(bySynonym[status]?.split(' ') ?? []),
    ...(status < 500 ? ['invalidrequest', 'badrequest'] : []),
    'error',
  ];
  const named = values.map((value) => [plainName(String(value)), value] as const);
  for (const isLike of [
    (name: string, want: string) => name === want,
    (name: string, want: string) => name.includes(want),
  ])
    for (const want of wanted) {
      const found = named.find(([name]) => isLike(name, want));
      if (found) return found[1];
    }
  return undefined;
}

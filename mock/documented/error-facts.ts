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
const ofId: Role = ({ code }, siblings) =>
  siblings.has('message') && !siblings.has('code') ? code : undefined;
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

const ofPath: Role = (facts, siblings) => (facts.problem ? nameOf(facts, siblings) : facts.path);

const ofType: Role = ({ code, problem }, siblings) =>
  problem || !siblings.has('title') ? code : 'about:blank';

/** What texts of these names say, the names without case and separators. */
const texts: Readonly<Record<string, Role>> = {
  ...each('message msg detail details description errordescription errormessage', messageOf),
  ...each('reason text info explanation usermessage developermessage longmessage', messageOf),
  ...each('title statustext statusmessage summary shortmessage', ({ status }) => phraseOf(status)),
  ...each('code errorcode errortype reasoncode slug', ({ code }) => code),
  ...each('type kind', ofType),
  id: ofId,
  error: ofError,
  ...each('status statuscode httpstatus httpstatuscode httpcode', ofStatus),
  ...each('path', ofPath),
  ...each('instance url uri requesturi requestpath', ({ path }) => path),
  ...each('method httpmethod requestmethod', ({ method }) => method),
  ...each('timestamp time date datetime occurredat', timeOf),
  ...each('in location place', ({ problem }) => problem?.in),
  ...each('field property param attribute name key target propertypath fieldname', nameOf),
  ...each('parametername', nameOf),
  parameter: ({ problem }) => (problem && problem.in !== 'body' ? fieldOf(problem) : undefined),
  header: ({ problem }) => (problem?.in === 'header' ? fieldOf(problem) : undefined),
  ...each('pointer jsonpointer instancepath', ({ problem }) =>
    problem?.in === 'body' ? problem.pointer : undefined,
  ),
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
  return /^(timestamp|time)$/.test(plain) ? now : undefined;
}

/** What a yes or no of a name says of an error. */
export function flagFor(name: string): boolean | undefined {
  const plain = plainName(name);
  if (/^(is)?(success|successful|ok|succeeded|valid)$/.test(plain)) return false;
  return /^(is)?(error|failed|failure)$/.test(plain) ? true : undefined;
}

/** Names for lists and objects of what is wrong, one by one. */
export function listsProblems(name: string): boolean {
  const plain = plainName(name);
  return /^((field|validation)?(errors?|violations?|issues|problems|messages|causes)|errordetails|details?|invalidparams|invalidparameters|fields)$/.test(
    plain,
  );
}

/** Names for objects that say what is wrong. */
export function isOfError(name: string): boolean {
  return /^(error|fault|exception|problem|failure)s?$/.test(plainName(name)) || listsProblems(name);
}

/** Names for lists of errors, which say what is wrong even where it is no part of the request. */
export function listsErrors(name: string): boolean {
  return /^(errors?|messages?|issues|problems|detail)$/.test(plainName(name));
}

const bySynonym: Readonly<Record<number, string>> = {
  400: 'badrequest invalidrequest invalidargument validationerror validation invalid',
  401: 'unauthorized unauthenticated authenticationerror authentication',
  403: 'forbidden permissiondenied accessdenied',
  404: 'notfound missing nosuch',
  405: 'methodnotallowed',
  406: 'notacceptable',
  409: 'conflict alreadyexists duplicate',
  413: 'payloadtoolarge toolarge',
  415: 'unsupportedmediatype unsupported',
  422: 'unprocessableentity unprocessable validationerror validationfailed invalid',
  429: 'toomanyrequests ratelimitexceeded ratelimit',
  500: 'internalservererror internalerror internal servererror apierror',
};

/** The one of some values that says most of an error; undefined where none does. */
export function chooseValue(values: readonly unknown[], facts: ErrorFacts): unknown {
  const { code, status } = facts;
  const wanted = [
    ...[code, String(status), phraseOf(status)].map(plainName),
    ...(bySynonym[status]?.split(' ') ?? []),
    ...(status < 500 ? ['invalidrequest', 'badrequest', 'clienterror'] : []),
    ...['error', 'fail', 'failure', 'failed'],
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

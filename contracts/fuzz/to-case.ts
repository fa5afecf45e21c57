import { parseJson } from '../../common/json.ts';
import type { Api, Content, Schema } from '../../openapi/index.ts';
import { writeBody } from '../../openapi/model/write-body.ts';
import { toValueText } from '../cases/bodies.ts';
import { plainCall } from '../cases/call-cases.ts';
import { type Case, isUnsafe } from '../cases/case.ts';
import { readTextBody } from '../document/text-values.ts';
import { compileSent } from '../transcript/schema/validator.ts';
import type { Change, Input, Subject } from './subject.ts';
import { isHarmless, ownExample } from './values.ts';

/** Stands in a body for JSON that no value has; the number is that of its change. */
const rawMark = '@@json';

/** The call of a subject with an input, at a path with ids of the run; by default at a plain one. */
export function toCase(
  document: Api,
  subject: Subject,
  {
    input,
    path,
    number,
    body,
  }: { input: Input; path?: string | undefined; number: number; body?: string | undefined },
): Case {
  const { operation, does } = subject;
  const { changes } = input;
  const plain = plainCall(document, operation);
  const method = find(changes, 'method')?.method;
  const type = find(changes, 'type');
  const sent = body ?? bodyText(document, subject, changes);
  const mediaType = type ? type.mediaType : subject.body?.mediaType;
  const headers = {
    ...(mediaType && sent !== undefined && { 'Content-Type': mediaType }),
    ...Object.fromEntries(ofKind(changes, 'header').map(({ name, text }) => [name, text])),
  };
  const isOdd = changes.some(
    (one) =>
      ['method', 'type', 'path', 'text'].includes(one.in) ||
      (one.in === 'header' && !operation.parameters.some(({ name }) => name === one.name)),
  );
  const isInvalid = body === undefined && breaksSchema(document, subject, sent);
  const { operation: _, ...withoutOperation } = plain;
  const isOther = method !== undefined || find(changes, 'path') !== undefined;
  const isForm = subject.body?.form && !type && find(changes, 'text') === undefined;
  return {
    ...(isOther ? { ...withoutOperation, negotiated: operation, parametersOf: operation } : plain),
    id: `${operation.id}/fuzz ${number}: ${input.what}`.slice(0, 200),
    method: method ?? operation.method,
    path: withParameters(path ?? (does === 'read' ? plain.path : operation.path), subject, changes),
    headers,
    ...(sent !== undefined && { body: sent }),
    ...(isForm && subject.body?.form && { form: subject.body.form }),
    credential: find(changes, 'credential')?.form ?? 'valid',
    purpose: {
      kind: 'fuzz',
      what: input.what,
      ...(isInvalid && { isInvalid }),
      ...(isOdd && { isOdd }),
    },
    priority: 3,
    writes: isUnsafe({ method: method ?? operation.method }),
  };
}

/** An input without what may affect others than the run; undefined if nothing is left of it. */
export function withoutHarm(
  document: Api,
  { operation, does, body }: Subject,
  input: Input,
): Input | undefined {
  const changes = input.changes.filter((change) => {
    if (change.in === 'body') {
      const place = body?.places.find(({ at }) => at.join() === change.at.join());
      const value = 'json' in change ? Number(change.json) : 'value' in change && change.value;
      return isHarmless(document, place?.schema ?? {}, value);
    }
    if (does === 'read' || (change.in !== 'query' && change.in !== 'header')) return true;
    const { schema } = operation.parameters.find(({ name }) => name === change.name) ?? {};
    const texts = change.in === 'query' ? change.texts : [change.text];
    return texts.every((text) => isHarmless(document, schema ?? {}, text));
  });
  if (changes.length === input.changes.length) return input;
  return changes.length > 0 ? { ...input, changes } : undefined;
}

type OfKind<Kind extends Change['in']> = Extract<Change, { in: Kind }>;

function ofKind<Kind extends Change['in']>(changes: readonly Change[], kind: Kind) {
  return changes.filter((one): one is OfKind<Kind> => one.in === kind);
}

function find<Kind extends Change['in']>(changes: readonly Change[], kind: Kind) {
  return ofKind(changes, kind)[0];
}

/** The text of a body, in which placeholders may stand; undefined if the subject takes none. */
function bodyText(
  document: Api,
  { body }: Subject,
  changes: readonly Change[],
): string | undefined {
  const whole = find(changes, 'text')?.text ?? find(changes, 'type')?.text;
  if (whole !== undefined || !body) return whole;
  const ofBody = ofKind(changes, 'body');
  const value = ofBody.reduce<unknown>((at, change, index) => {
    const changed =
      'json' in change ? `${rawMark}${index}` : 'value' in change ? change.value : undefined;
    return withMember(document, { schema: body.schema, value: at }, change.at, changed);
  }, body.plain);
  return toValueText(value).replace(
    new RegExp(`"${rawMark}(\\d+)"`, 'g'),
    (mark, index: string) => {
      const change = ofBody[Number(index)];
      return change && 'json' in change ? change.json : mark;
    },
  );
}

/** A value with another member, or without it; what is above the member is made if it is missing. */
function withMember(
  document: Api,
  { schema, value }: { schema: Schema; value: unknown },
  [name, ...rest]: readonly string[],
  changed: unknown,
): unknown {
  if (name === undefined) return changed;
  const isIndex = name === '0';
  const { properties } = document.schemas.describeSent(schema);
  const inner = isIndex
    ? ((document.schemas.resolve(schema).items ?? {}) as Schema)
    : (properties[name] ?? {});
  const above = value ?? ownExample(document, schema);
  const held = typeof above === 'object' && above !== null ? { ...above } : {};
  const members = held as Record<string, unknown>;
  const next = withMember(document, { schema: inner, value: members[name] }, rest, changed);
  if (next === undefined) delete members[name];
  else Object.defineProperty(members, name, { value: next, enumerable: true, configurable: true });
  return isIndex ? Object.values(members) : members;
}

/** Whether a body breaks its schema where the plain body, which has placeholders, does not. */
function breaksSchema(document: Api, { body }: Subject, text: string | undefined): boolean {
  if (!body || text === undefined) return false;
  const problems = (json: string) => {
    const value = parseJson(withoutPlaceholders(json));
    const read = body.form ? readBack(document, body.form, value) : value;
    return body.form && read === undefined ? 0 : compileSent(document, body.schema)(read).length;
  };
  return problems(text) > problems(toValueText(body.plain));
}

/**
 * The value that a server reads in a form, in which all are texts: 0 is the text that a name may be.
 * Undefined where the document does not say how it is read.
 */
export function readBack(document: Api, form: Content, value: unknown): unknown {
  const { mediaType: type, body: text } = writeBody(form, value) ?? {};
  if (type === undefined || text === undefined) return undefined;
  return readTextBody(document, form, { type, text })?.values[0];
}

/** A text of JSON in which each placeholder outside of strings is a number. */
function withoutPlaceholders(text: string): string {
  return text.replace(/(?<=[:[,]\s*)\{\{[^{}]*\}\}/g, '1');
}

/** A path with other parameters than before. */
function withParameters(path: string, { operation }: Subject, changes: readonly Change[]): string {
  const [before = '', query] = path.split('?');
  const parts = before.split('/');
  const template = operation.path.split('/');
  for (const { name, text } of ofKind(changes, 'path')) {
    const index = template.findIndex((part) => part.includes(`{${name}}`));
    if (index >= 0) parts[index] = (template[index] as string).replace(`{${name}}`, () => text);
  }
  const added = ofKind(changes, 'query').flatMap(({ name, texts }) =>
    texts.map((text) => `${encodeURIComponent(name)}=${text}`),
  );
  const whole = [...(query ? [query] : []), ...added].join('&');
  return `${parts.join('/')}${whole && `?${whole}`}`;
}

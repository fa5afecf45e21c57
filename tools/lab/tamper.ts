import type { Mutate } from './deployment.ts';
import type { Answer, Call, Item, OperationId } from './shop.ts';

/**
 * The scope of a change; an omitted member applies everywhere. Paths without an operation are never
 * touched.
 */
export type Scope = {
  operation?: OperationId;
  status?: number;
  when?: (call: Call, answer: Answer) => boolean;
};

export type Change = (answer: Answer, call: Call) => Answer;

/** A mutant whose answers are changed within a scope. */
export function tamper(scope: Scope, ...changes: Change[]): Mutate {
  return (truth) => ({
    answer: (call, answer) =>
      inScope(scope, call, answer)
        ? changes.reduce((changed, change) => change(changed, call), truth.answer(call, answer))
        : truth.answer(call, answer),
  });
}

/** Another status; the Error object's `status` goes with it, so that one clause alone is broken. */
export function status(code: number): Change {
  return (answer) => ({
    ...answer,
    status: code,
    body: isError(answer) ? { ...answer.body, status: BigInt(code) } : answer.body,
  });
}

export function body(change: (body: unknown, call: Call) => unknown): Change {
  return (answer, call) => ({ ...answer, body: change(answer.body, call) });
}

/** A body that is sent as it stands, with its media type. */
export function text(content: string | ((body: unknown) => string), mediaType?: string): Change {
  return (answer) => ({
    ...answer,
    text: typeof content === 'string' ? content : content(answer.body),
    headers:
      mediaType === undefined ? answer.headers : { ...answer.headers, 'Content-Type': mediaType },
  });
}

export function header(
  name: string,
  value: string | ((now: string, call: Call) => string),
): Change {
  return (answer, call) => ({
    ...answer,
    headers: {
      ...answer.headers,
      [name]: typeof value === 'string' ? value : value(answer.headers[name] ?? '', call),
    },
  });
}

export function dropHeader(...names: string[]): Change {
  return (answer) => ({
    ...answer,
    headers: Object.fromEntries(
      Object.entries(answer.headers).filter(([name]) => !names.includes(name)),
    ),
  });
}

/** Sets a member of the object, or of each object of the list, that is answered. */
export function member(name: string, value: unknown): Change {
  return eachObject((item) => ({ ...item, [name]: value }));
}

export function dropMember(name: string): Change {
  return eachObject(({ [name]: _, ...rest }) => rest);
}

export function renameMember(from: string, to: string): Change {
  return eachObject(({ [from]: value, ...rest }) => ({ ...rest, [to]: value }));
}

/** Changes the object, or each object of the list, that is answered. */
export function eachObject(change: (item: Item) => Item): Change {
  return body((value) => (Array.isArray(value) ? value.map(change) : change(value as Item)));
}

function inScope({ operation, status, when }: Scope, call: Call, answer: Answer): boolean {
  if (call.operation === undefined) return false;
  if (operation !== undefined && call.operation !== operation) return false;
  if (status !== undefined && answer.status !== status) return false;
  return when?.(call, answer) ?? true;
}

function isError(answer: Answer): answer is Answer & { body: Item } {
  return answer.status >= 400 && typeof answer.body === 'object' && answer.body !== null;
}

import { readExact, stringifyExact } from '../../../../common/json.ts';
import { shellOf } from '../../../curl/shell.ts';
import { toCurl } from '../../../curl/to-curl.ts';

/**
 * An operation of the admin. `path` is relative to `/__admin/`; `body` is sent as JSON, bigints as
 * integers, or `text` as it stands. `file` is the name of the file that `text` was read from, which
 * a curl line reads too.
 */
export type Operation = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: unknown;
  text?: string;
  file?: string;
};

/**
 * The twin's response: parsed JSON (integers that a double cannot hold as bigints) or the text. For
 * a failure, the message is the twin's own.
 */
export type Result =
  | { ok: true; status: number; value: unknown; text: string }
  | { ok: false; status: number; message: string; value?: unknown };

/** Whether the admin lets the page in; the message is the twin's. */
export type Access = { state: 'open' } | { state: 'token' | 'off'; message: string };

/** The admin of the sandbox that the page's URL names. */
export type Admin = {
  /** Calls an operation; it never rejects. A panel reads it through its state. */
  call(operation: Operation): Promise<Result>;
  access(): Access;
  /** Whether a token is sent. It is held here alone, in the memory of the page. */
  hasToken(): boolean;
  setToken(token: string): void;
  /** Notifies of each change of the access. Gives the way out, as the next one does. */
  onAccess(listener: () => void): () => void;
  /** Notifies of each call that may have changed what others show. */
  onChange(listener: () => void): () => void;
};

const unreachable = 'The mock does not respond. Check that it is still running.';

/** Makes a client of the admin. */
export function createAdmin(): Admin {
  let token: string | undefined;
  let access: Access = { state: 'open' };
  const accessListeners = new Set<() => void>();
  const changeListeners = new Set<() => void>();

  const setAccess = (next: Access) => {
    if (next.state === access.state && next.state === 'open') return;
    access = next;
    for (const listener of accessListeners) listener();
  };
  const send = async (path: string, init: RequestInit): Promise<Result> => {
    const sent = token;
    const headers = new Headers(init.headers);
    if (sent !== undefined) headers.set('Authorization', `Bearer ${sent}`);
    const response = await fetch(path, { ...init, headers, cache: 'no-store' });
    const result = toResult(response, await response.text());
    const { status, message } = result;
    // One that was under way while the token changed says nothing of the new one.
    if ((status === 401 || status === 403) && sent === token)
      setAccess({
        state: status === 401 ? 'token' : 'off',
        message:
          status === 401 && sent !== undefined ? `This is not the token. ${message}` : message,
      });
    return result;
  };

  return {
    async call(operation) {
      const { method, path } = operation;
      const body = contentOf(operation);
      const headers = { 'Content-Type': 'application/json' };
      const init = { method, ...(body !== undefined && { body, headers }) };
      try {
        return await send(path, init);
      } catch {
        return { ok: false, status: 0, message: unreachable };
      } finally {
        if (method !== 'GET') for (const listener of changeListeners) listener();
      }
    },
    access: () => access,
    hasToken: () => token !== undefined,
    setToken(given) {
      token = given;
      setAccess({ state: 'open' });
    },
    onAccess: subscribeTo(accessListeners),
    onChange: subscribeTo(changeListeners),
  };
}

function subscribeTo(listeners: Set<() => void>): (listener: () => void) => () => void {
  return (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
}

function toResult({ ok, status, headers }: Response, text: string): Result & { message: string } {
  const isJson = /^application\/json\b/.test(headers.get('Content-Type') ?? '');
  const value = isJson ? readExact(text) : text;
  if (ok) return { ok, status, value, text, message: '' };
  const { message } = (isJson && value ? value : {}) as { message?: unknown };
  return {
    ok: false,
    status,
    value,
    message: typeof message === 'string' ? message : `The answer was ${status}, without a message.`,
  };
}

/** The line for a shell that does what a call of the admin does; the token stays a variable. */
export function toCurlLine(
  operation: Operation,
  admin: Pick<Admin, 'hasToken'>,
  { base, trust }: { base: string; trust: readonly string[] },
): string {
  const { method, path, file } = operation;
  const body = contentOf(operation);
  return toCurl(
    { method, keyPlaces: admin.hasToken() ? [{ in: 'authorization', scheme: 'Bearer' }] : [] },
    { target: '', ...(body !== undefined && { body }), ...(file !== undefined && { file }) },
    {
      base: new URL(path, base).href,
      key: '$TOKEN',
      trust,
      shell: shellOf(navigator.userAgent),
    },
  );
}

function contentOf({ body, text }: Operation): string | undefined {
  return text ?? (body === undefined ? undefined : stringifyExact(body));
}

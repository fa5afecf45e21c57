import { setTimeout as sleep } from 'node:timers/promises';

/** An item of a server, as far as the lab looks into it. */
export type Item = { id: string; name: string; [member: string]: unknown };

/** Sends a call and gives the JSON of its answer; throws where the answer is no success. */
export type Call = <Body = Item>(method: string, path: string, body?: unknown) => Promise<Body>;

/** The longest time that a call may take, in milliseconds. */
const timeout = 30_000;

/**
 * Gives a client of the server at `origin`. A 503 is tried again, as SQLite is locked for a moment, and
 * so is a read that got no answer.
 */
export function createCall(origin: string, headers: Record<string, string>): Call {
  return async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const form = body instanceof FormData;
    for (let tries = 1; ; tries += 1) {
      const sent = fetch(origin + path, {
        method,
        headers: {
          ...headers,
          ...(!form && body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeout),
      });
      const { status, text } = await sent.then(toReceived).catch(toNothing);
      if (status >= 200 && status < 300) return (isJson(text) ? JSON.parse(text) : text) as Body;
      const limit = status === 503 ? 120 : 3;
      const isWorthAgain = status === 503 || (status === 0 && method === 'GET');
      if (!isWorthAgain || tries === limit)
        throw new Error(
          `${method} ${path} was answered ${status || 'with nothing'}: ${text.slice(0, 300)}`,
        );
      await sleep(500);
    }
  };
}

async function toReceived(response: Response): Promise<{ status: number; text: string }> {
  return { status: response.status, text: await response.text() };
}

/** An error of `fetch`, whose cause has the reason, as an answer with the status 0. */
function toNothing({ message, cause }: Error): { status: number; text: string } {
  return {
    status: 0,
    text: [message, (cause as Error | undefined)?.message ?? []].flat().join(': '),
  };
}

function isJson(text: string): boolean {
  return /^[[{"]/.test(text);
}

/** The time so many hours from now, as ISO 8601. */
export function hoursFromNow(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

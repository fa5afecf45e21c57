import { setTimeout as sleep } from 'node:timers/promises';

/** An item of a server, as far as the lab looks into it. */
export type Item = { id: string; name: string; [member: string]: unknown };

/** Sends a call and gives the JSON of its answer; throws where the answer is no success. */
export type Call = <Body = Item>(method: string, path: string, body?: unknown) => Promise<Body>;

/** Gives a client of the server at `origin`. A 503 is tried again: SQLite is locked for a moment. */
export function createCall(origin: string, headers: Record<string, string>): Call {
  return async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const form = body instanceof FormData;
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(origin + path, {
        method,
        headers: {
          ...headers,
          ...(!form && body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: form ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return (isJson(text) ? JSON.parse(text) : text) as Body;
      if (response.status !== 503 || tries === 120)
        throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`);
      await sleep(500);
    }
  };
}

function isJson(text: string): boolean {
  return /^[[{"]/.test(text);
}

/** The time so many hours from now, as ISO 8601. */
export function hoursFromNow(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

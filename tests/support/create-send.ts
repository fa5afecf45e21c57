/** The answer of a twin, its content parsed where that is JSON. */
export type TestAnswer = {
  status: number;
  type: string | null;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  json: any;
};

/** Sends a request; a body that is no text is sent as JSON. */
export type Send = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<TestAnswer>;

/** Creates a sender of requests below a URL, each with these headers. */
export function createSend(base: string, common: Readonly<Record<string, string>> = {}): Send {
  return async (method, path, body, more) => {
    const hasBody = body !== undefined;
    const headers = { ...(hasBody && { 'Content-Type': 'application/json' }), ...common, ...more };
    const content = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { method, headers, ...(hasBody && { body: content }) };
    return readAnswer(await fetch(base + path, { redirect: 'manual', ...sent }));
  };
}

/** Reads an answer to its end. */
export async function readAnswer(response: Response): Promise<TestAnswer> {
  const { status, headers } = response;
  const text = await response.text();
  const type = headers.get('Content-Type');
  const isJson = /[/+]json\s*(;|$)/.test(type ?? '');
  return {
    status,
    type,
    headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : undefined,
  };
}

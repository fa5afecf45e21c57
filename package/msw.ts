import { bypass, type HttpHandler, HttpResponse, http } from 'msw';

/**
 * A twin or a sandbox: one of this process, or only the `url` of the API of one that listens, as a
 * browser has it.
 */
export type ServedTwin = {
  url: string;
  fetch?(input: string | URL | Request, init?: RequestInit): Promise<Response>;
};

/**
 * Handlers for `setupServer` or `setupWorker` of MSW that have a twin answer what is asked below
 * `at`, the base URL of the API in production. A connection that the twin breaks is a network error.
 * Throws a TypeError where `at` is no base URL.
 */
export function handlers(twin: ServedTwin, { at }: { at: string }): HttpHandler[] {
  if (!URL.canParse(at) || !/^https?:\/\/[^?#*]+$/.test(at))
    throw new TypeError(
      `at must be the base URL of the API, such as https://api.example.com/v1, but is "${at}".`,
    );
  const base = new URL(at).href.replace(/\/$/, '');
  const below = new RegExp(`^${RegExp.escape(base)}(?:/.*)?$`);
  return [
    http.all(below, async ({ request }) => {
      const { method, signal } = request;
      const target = twin.url + request.url.slice(base.length);
      const headers = new Headers(request.headers);
      for (const name of ofConnection) headers.delete(name);
      const body = await request.arrayBuffer();
      const init = { method, headers, signal, body: body.byteLength > 0 ? body : null };
      try {
        // What is in process passes redirects on; a browser hides where they lead.
        if (twin.fetch) return await twin.fetch(target, { ...init, redirect: 'manual' });
        return await fetch(bypass(new Request(target, init)));
      } catch {
        return HttpResponse.error();
      }
    }),
  ];
}

/** Headers that are of the connection to production. */
const ofConnection = ['host', 'connection', 'transfer-encoding', 'content-length'];

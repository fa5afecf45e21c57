import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { isObject, stringifyExact } from '../../common/json.ts';
import { isSuccess } from '../../common/success.ts';
import { type Answer, type TextAnswer, toErrorAnswer, toJsonAnswer } from '../answers/answer.ts';
import type { Fetch } from '../http/in-process.ts';
import { collectBytes } from '../http/read-body.ts';
import { parseExact, toByteText } from '../json/exact-json.ts';

/** The most bytes of a body: what the largest snapshot may have. */
const maxBody = 64 * 1024 * 1024;

/** Headers of a call that belong to its connection. */
const ofConnection = ['connection', 'content-length', 'expect', 'keep-alive', 'transfer-encoding'];

/** Headers of an answer that hold for that of all, too. */
const ofAnswer = /^(?:access-control-.+|allow|vary|www-authenticate)$/;

/** The answer of one API. */
type Part = {
  api: string;
  status: number;
  text: string;
  isJson: boolean;
  mediaType: string;
  headers: Readonly<Record<string, string>>;
};

/**
 * Creates the admin of all APIs of a process: it sends a call to the admin of each in turn, which
 * judges whether the caller may do so, and answers with their answers by name. The journal's
 * entries of all APIs are one list.
 */
export function createAdminOfAll(
  names: readonly string[],
  fetch: Fetch,
): (request: IncomingMessage, url: string) => Promise<Answer | TextAnswer> {
  return async (request, url) => {
    // Node leaves the content of an answer to HEAD out.
    const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
    // A preflight of a browser has no token.
    const hasBody = method !== 'GET' && method !== 'OPTIONS';
    // No body is read of a caller that may not use the admin.
    const [first = ''] = names;
    const look =
      hasBody && (await send(first, '/__admin/version', { fetch, request, method: 'GET' }));
    if (look && !isSuccess(look)) return toAnswer(look);
    const { bytes: body, problem } = hasBody ? await collectBytes(request, maxBody) : {};
    if (problem === 'too large')
      return toErrorAnswer('payload_too_large', 'The body is larger than the admin reads.');
    const bodyOf = createBodyOf(body, names);
    const parts: Part[] = [];
    for (const api of names)
      parts.push(await send(api, url, { fetch, request, method, body: bodyOf(api) }));
    const headers = parts[0]?.headers ?? {};
    return { ...join(parts, new URL(url, 'http://localhost')), headers };
  };
}

/** Returns the body for an API: its own member of an object whose members are all named as APIs are. */
function createBodyOf(body: Buffer | undefined, names: readonly string[]) {
  if (!body?.length) return () => undefined;
  let value: unknown;
  try {
    value = parseExact(body.toString());
  } catch {
    return () => body;
  }
  const keys = isObject(value) ? Object.keys(value) : [];
  if (keys.length === 0 || !keys.every((key) => names.includes(key))) return () => body;
  const members = value as Record<string, unknown>;
  return (api: string) =>
    members[api] === undefined ? undefined : Buffer.from(stringifyExact(members[api]) as string);
}

type SentCall = {
  fetch: Fetch;
  request: IncomingMessage;
  method: string;
  body?: Buffer | undefined;
};

async function send(api: string, url: string, sending: SentCall): Promise<Part> {
  const { fetch, request, method, body } = sending;
  const isSecure = (request.socket as Partial<TLSSocket>).encrypted === true;
  const origin = `${isSecure ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`;
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    ofConnection.includes(name) ? [] : [[name, String(value)] as [string, string]],
  );
  const answer = await fetch(`${origin}/${api}${url}`, { method, headers, body: body ?? null });
  const mediaType = answer.headers.get('content-type') ?? '';
  const isJson = /^application\/json\b/.test(mediaType);
  const kept = Object.fromEntries([...answer.headers].filter(([name]) => ofAnswer.test(name)));
  const text = await answer.text();
  return { api, status: answer.status, text, isJson, mediaType, headers: kept };
}

function join(parts: readonly Part[], { pathname, searchParams }: URL): Answer | TextAnswer {
  const path = pathname.replace(/^(\/sandboxes\/[^/]+)?\/__admin/, '');
  const [first] = parts as [Part, ...Part[]];
  const taken = parts.filter(isSuccess);
  if (path === '/health') return toAnswer(parts.find((one) => !isSuccess(one)) ?? first);
  if (path === '/metrics' && taken.length === parts.length)
    return { ...first, text: joinMetrics(parts) };
  if (/^\/requests\b/.test(path)) {
    if (taken.length === 0) return toAnswer(first);
    if (path.endsWith('/curl')) return toAnswer(taken[0] as Part);
    const joinOf = joins.find(([pattern]) => pattern.test(path))?.[1];
    if (joinOf)
      return toJsonAnswer(
        joinOf(
          taken.map(({ text }) => parseExact(text)),
          searchParams,
        ),
      );
  }
  if (taken.length === 0 && parts.every(({ text }) => text === first.text)) return toAnswer(first);
  const status = Math.max(...parts.map((one) => one.status));
  if (parts.every(({ text }) => text === '')) return toAnswer({ ...first, status });
  const members = parts.map(
    ({ api, isJson, text }) =>
      `${JSON.stringify(api)}:${isJson ? text : JSON.stringify(text === '' ? null : text)}`,
  );
  return { status: status === 204 ? 200 : status, json: toByteText(`{${members.join(',')}}`) };
}

/** Joins the metrics of APIs, each sample with the name of its API, and those of the process once. */
function joinMetrics(parts: readonly Part[]): string {
  const families = new Map<string, string[]>();
  for (const { api, text } of parts)
    for (const family of text.split(/\n+(?=# HELP )/)) {
      const head = (family.match(/^#.*/gm) ?? []).join('\n');
      const samples = families.get(head) ?? [];
      const isOfProcess = /^# HELP (?:process|nodejs)_/.test(head);
      if (isOfProcess && samples.length > 0) continue;
      families.set(head, samples);
      for (const line of family.match(/^[^#\n].*/gm) ?? [])
        samples.push(isOfProcess ? line : withLabel(line, `api="${api}"`));
    }
  return [...families].map((family) => `${family.flat().join('\n')}\n`).join('\n');
}

/** Adds a label to a line of a sample. */
function withLabel(line: string, label: string): string {
  const [, name = '', rest = ''] = /^([\w:]+)(.*)$/.exec(line) ?? [];
  return rest.startsWith('{') ? `${name}{${label},${rest.slice(1)}` : `${name}{${label}}${rest}`;
}

// biome-ignore lint/suspicious/noExplicitAny: the admin's document describes them.
type Body = any;

/** Joins what APIs say of the journal, by the path below the admin. */
const joins: readonly [RegExp, (bodies: Body[], query: URLSearchParams) => unknown][] = [
  [
    /^\/requests(\/find)?$/,
    (bodies, query) => {
      if (bodies.some(({ requests }) => !requests)) return sumOf(bodies);
      const requests = bodies.flatMap((body) => body.requests).sort(newestFirst);
      const limit = Number(query.get('limit') ?? 100);
      return { requests: requests.slice(0, limit), meta: sumOf(bodies.map(({ meta }) => meta)) };
    },
  ],
  [/^\/requests\/count$/, sumOf],
  [
    /^\/requests\.har$/,
    (bodies) => {
      const entries = bodies.flatMap(({ log }) => log.entries);
      const at = ({ startedDateTime }: Body) => Date.parse(startedDateTime);
      return { log: { ...bodies[0].log, entries: entries.sort((one, two) => at(one) - at(two)) } };
    },
  ],
  [/^\/requests\/[^/]+$/, (bodies) => bodies.sort(newestFirst)[0]],
];

function newestFirst(one: Body, two: Body): number {
  return two.at.localeCompare(one.at) || two.id - one.id;
}

/** Adds the numbers of objects with the same members. */
function sumOf(bodies: Body[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const body of bodies)
    for (const [name, count] of Object.entries(body))
      sums[name] = (sums[name] ?? 0) + Number(count);
  return sums;
}

function toAnswer({ status, text, isJson, mediaType, headers }: Part): Answer | TextAnswer {
  if (isJson || text === '') return { status, json: toByteText(text), headers };
  return { status, text, mediaType, headers };
}

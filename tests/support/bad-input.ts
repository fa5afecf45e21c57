import { expect } from 'vitest';
import { type ErrorCode, errorTable } from '../../mock/answers/errors.ts';
import { type RawExchange, sendRaw } from './raw-socket.ts';
import { projectFile, type TestTwin } from './twin.ts';

/**
 * One bad input: the bytes that are sent, and the right answer: the code of its error, or the status
 * of another one. An animal is created for each 201.
 */
export type BadInput = [
  send: string | Buffer,
  answer: ErrorCode | number,
  more?: {
    /** The statuses of earlier answers, where the bytes hold several requests. */
    before?: readonly number[];
    /** Whether the client ends its side after sending. */
    halfClose?: true;
    prepare?: (twin: TestTwin) => Promise<void>;
    check?: (exchange: RawExchange, twin: TestTwin) => void;
  },
];

/** Bad inputs by their names. */
export type BadInputs = Readonly<Record<string, BadInput>>;

/** Returns a bad input for each text, by its name. */
export function forEach(
  texts: readonly [name: string, text: string][],
  toInput: (text: string) => BadInput,
  before = '',
): BadInputs {
  return Object.fromEntries(texts.map(([name, text]) => [before + name, toInput(text)]));
}

type Fields = Readonly<Record<string, string | undefined>>;

/** The key that the bad inputs are sent with. */
export const key = 'demo-enterprise';

/** A body that creates an animal. */
export const animal = '{"name":"Rex","categoryId":1}';

const usualFields: Fields = {
  Host: 'localhost',
  Authorization: `Bearer ${key}`,
  Connection: 'close',
};

/** A request line and header fields, each on a line of its own, and the empty line. */
export function head(...lines: string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The bytes of a GET with the default headers; `undefined` leaves one out. */
export function get(target: string, fields: Fields = {}): Buffer {
  return message(`GET ${target} HTTP/1.1`, { ...usualFields, ...fields });
}

/** The bytes of a POST of JSON to /v1/pets with the default headers; `undefined` leaves one out. */
export function post(body: string | Buffer, fields: Fields = {}): Buffer {
  const framing = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return Buffer.concat([
    message('POST /v1/pets HTTP/1.1', { ...usualFields, ...framing, ...fields }),
    Buffer.from(body),
  ]);
}

/** Sends a bad input and asserts everything that holds for each of them. */
export async function checkBadInput(twin: TestTwin, row: BadInput): Promise<void> {
  const [send, answer, { before = [], halfClose = false, prepare, check } = {}] = row;
  await prepare?.(twin);
  const logged = twin.lines.length;
  const count = await twin.app.store.count('pets');
  const exchange = await sendRaw(twin.origin, send, { halfClose });

  const statuses = [...before, typeof answer === 'number' ? answer : errorTable[answer].status];
  const finals = exchange.answers.filter(({ status }) => status >= 200);
  expect(finals.map(({ status }) => status)).toEqual(statuses);
  expect(exchange.rest).toBe('');
  expect(exchange.end).toBe('closed');
  for (const { status, headers, text } of finals) {
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
      expect(headers[name]).toMatch(/^\d+$/);
    if (status !== 204) expect(headers['content-type']).toBe('application/json');
    if (status >= 400) expectError(status, text);
    if (status === 401) expectChallenge(headers, answer === 'invalid_api_key');
  }
  if (typeof answer === 'string') expect(JSON.parse(finals.at(-1)?.text ?? '').code).toBe(answer);
  const created = statuses.filter((status) => status === 201).length;
  expect((await twin.app.store.count('pets')) - count).toBe(created);
  check?.(exchange, twin);

  const next = await fetch(`${twin.api}/pets?limit=1`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(next.status).toBe(200);
  expect(await next.json()).toHaveLength(1);
  expect(twin.lines.slice(logged).filter((line) => line.includes('The mock failed'))).toEqual([]);
}

function expectError(status: number, text: string): void {
  const error = JSON.parse(text);
  expect(error).toEqual({ code: expect.any(String), message: expect.stringMatching(/./), status });
  expect(errorTable[error.code as ErrorCode]?.status).toBe(status);
  expect(error.message).not.toContain(projectFile(''));
  expect(error.message).not.toMatch(/node_modules|node:internal|file:\/\/|\n\s+at |:\d+:\d+/);
  expect(text).not.toContain(key);
}

function expectChallenge(headers: Record<string, string>, withError: boolean): void {
  const challenge = headers['www-authenticate'];
  expect(challenge).toMatch(/^Bearer realm="petstore"/);
  expect(challenge?.includes('error="invalid_token"')).toBe(withError);
  expect(headers).not.toHaveProperty('x-injected');
}

function message(line: string, fields: Fields): Buffer {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Buffer.from(head(line, ...sent.map(([name, value]) => `${name}: ${value}`)), 'latin1');
}

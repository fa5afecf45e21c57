import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../common/json.ts';
import { parseText } from '../../common/parse-text.ts';
import { isSuccess } from '../../common/success.ts';
import type { Operation, Resource } from '../../openapi/index.ts';
import { keyPlacesOf } from '../../openapi/model/key-places.ts';
import { toKeyed } from '../curl/place-key.ts';
import {
  createToExampleCall,
  type ExampleCall,
  type ToExampleCall,
} from '../documented/example-calls.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings/config.ts';
import { openTwin, type Twin } from '../twin.ts';

/** A test by its title, with the statements of its body. */
export type Case = { title: string; body: readonly string[] };

/** How many operations are called in search of one that succeeds. */
const maxCalls = 30;

/**
 * Returns tests of a document that pass, as the mock has answered each of their calls: one call that
 * succeeds, and the read of an item that is created. `overlay` is the text of an overlay.
 */
export async function proveCases(spec: string, overlay: string | undefined): Promise<Case[]> {
  const config = readSettings({ spec, logLevel: 'silent' });
  const twin = await openTwin(config, {
    log: createLog('silent'),
    listen: false,
    given: overlay === undefined ? {} : { overlay: parseText(overlay) as object },
  });
  try {
    const { store, served } = twin.app;
    const toCall = createToExampleCall(twin.document, { store, writeXml: served.writeXml });
    const { operations, resources } = twin.document;
    const sorted = operations.toSorted((left, right) => rankOf(left) - rankOf(right));
    const answered = await findFirst(sorted.slice(0, maxCalls), (one) =>
      proveCall(twin, one, toCall),
    );
    const kept = await findFirst(resources, (one) => proveCreate(twin, one, toCall));
    return [answered, kept].filter((one) => one !== undefined);
  } finally {
    await twin.close();
  }
}

/** Sorts lists first, then reads, and changes last. */
function rankOf({ kind, method }: Operation): number {
  if (kind === 'list') return 0;
  if (kind === 'read') return 1;
  return method === 'GET' ? 2 : 3;
}

async function findFirst<Given>(
  all: readonly Given[],
  prove: (one: Given) => Promise<Case | undefined>,
): Promise<Case | undefined> {
  for (const one of all) {
    const found = await prove(one);
    if (found) return found;
  }
  return undefined;
}

async function proveCall(
  twin: Twin,
  operation: Operation,
  toCall: ToExampleCall,
): Promise<Case | undefined> {
  const answered = await tryCall(twin, operation, await toCall(operation));
  if (!answered) return undefined;
  const { code, status } = answered;
  return {
    title: `${operation.id} answers with ${status}`,
    body: [`const response = ${code};`, `expect(response.status).toBe(${status});`],
  };
}

/** Proves that what a create answers is read by its id. */
async function proveCreate(
  twin: Twin,
  { idProperty, operations: { create, read } }: Resource,
  toCall: ToExampleCall,
): Promise<Case | undefined> {
  if (!create || !read || !/^[^{]*\{[^{}]+\}$/.test(read.path)) return undefined;
  const made = await tryCall(twin, create, await toCall(create));
  const item = made && toObject(made.text);
  const id = item?.[idProperty];
  // As it stands in a path.
  if (!made || !item || !/^[\w.~-]+$/.test(String(id))) return undefined;
  const [before = ''] = read.path.split('{');
  const call = { target: before + id, values: { path: {}, query: [] } };
  const member = isPlainName(idProperty) ? `.${idProperty}` : `[${toCode(idProperty)}]`;
  const shown = await tryCall(twin, read, call, `${toTemplate(before)}\${item${member}}`);
  const isShown = (read: JsonObject) =>
    Object.entries(item).every(([name, value]) => isDeepStrictEqual(read[name], value));
  if (!shown || !isShown(toObject(shown.text) ?? {})) return undefined;
  return {
    title: `${read.id} shows what ${create.id} creates`,
    body: [
      `const created = ${made.code};`,
      `expect(created.status).toBe(${made.status});`,
      'const item = JSON.parse(await created.text());',
      `const shown = ${shown.code};`,
      'expect(JSON.parse(await shown.text())).toMatchObject(item);',
    ],
  };
}

function toObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A call that succeeded, as code. */
type AnsweredCall = { code: string; status: number; text: string };

/**
 * Makes a call; undefined if it fails. `template` is the target in the code, where that is another
 * one.
 */
async function tryCall(
  { fetch, keys, document, origin }: Twin,
  operation: Operation,
  call: ExampleCall | undefined,
  template?: string,
): Promise<AnsweredCall | undefined> {
  // fetch sends no body with these.
  const isRead = operation.method === 'GET' || operation.method === 'HEAD';
  if (!call || (isRead && call.body !== undefined)) return undefined;
  const { mediaType = 'application/json' } = call;
  const { key = '' } = keys[0] ?? {};
  const { target, headers } = toKeyed(call, keyPlacesOf(operation), key);
  const hasHeaders = Object.keys(headers).length > 0;
  // The test sends what it has as a value, which loses digits of long numbers.
  const value = mediaType === 'application/json' ? JSON.parse(call.body ?? 'null') : undefined;
  const body = value ? JSON.stringify(value) : call.body;
  const { method } = operation;
  const url = origin + document.basePath + target;
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!isSuccess(response)) return undefined;
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(hasHeaders ? [`headers: ${withKey(toCode(headers), key)}`] : []),
    ...(body === undefined
      ? []
      : [`body: ${value ? `JSON.stringify(${toCode(value)})` : toCode(body)}`]),
  ].map((option) => `  ${option.replaceAll('\n', '\n  ')},\n`);
  const place = (template ?? toTemplate(target)).replaceAll(key || '\0', keyInCode);
  const given = options.length > 0 ? `, {\n${options.join('')}}` : '';
  const code = `await twin.fetch(\`\${twin.url}${place}\`${given})`;
  return { code, status: response.status, text };
}

/** Escapes what a template literal would run or end at. */
function toTemplate(text: string): string {
  return text.replace(/[`\\]|\$(?=\{)/g, '\\$&');
}

const keyInCode = '$' + '{twin.key()}';

/** Puts the key of the mock into strings in code that hold its text. */
function withKey(code: string, key: string): string {
  return code.replace(/'[^'\\]*'/g, (text) =>
    key !== '' && text.includes(key)
      ? `\`${toTemplate(text.slice(1, -1)).replaceAll(key, keyInCode)}\``
      : text,
  );
}

/** A value of JSON as code, with plain names and strings as people write them. */
export function toCode(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return text.replace(/"((?:[^"\\]|\\.)*)"(:?)/g, (whole, inner: string, colon: string) => {
    if (colon && isPlainName(inner)) return `${inner}:`;
    return /['\\]/.test(inner) ? whole : `'${inner}'${colon}`;
  });
}

function isPlainName(name: string): boolean {
  return /^[a-z_$][\w$]*$/i.test(name);
}

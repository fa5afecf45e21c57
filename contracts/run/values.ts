import { createHash } from 'node:crypto';
import { parseJson, toJson } from '../../common/json.ts';
import { isSuccess } from '../../common/success.ts';
import type { Content, Operation, Schema } from '../../openapi/index.ts';
import { mediaTypesOf } from '../../openapi/model/content.ts';
import { writeBody } from '../../openapi/model/write-body.ts';
import type { Case } from '../cases/case.ts';
import { fillVaried, variedPrefix } from '../cases/example-value.ts';
import { writeFiles } from '../cases/made-files.ts';
import { makeSecret, secretPrefix } from '../cases/made-secrets.ts';
import { placeholder } from '../cases/placeholders.ts';
import type { SentRequest } from '../transcript/exchange.ts';

/** Values that a run finds out, for the placeholders of cases. */
export interface Values {
  /** Remembers a value for `{{name}}`. */
  set(name: string, value: unknown): void;
  get(name: string): unknown;
  /** Makes another value for `{{name}}` in each text; `make` is given a number that differs. */
  vary(name: string, make: (number: number) => unknown): void;
  /** Digits that no other request has, as `{{run}}{{fresh}}` makes them. */
  fresh(): string;
  /** The secrets that were made up until now. */
  readonly secrets: ReadonlySet<string>;
  /** Whether a value is, or holds, what only this run sends. */
  isMarked(value: unknown): boolean;
  /**
   * The text with its placeholders filled in, or the name of a placeholder that has no value; `write`
   * gives the text of one that is known.
   */
  fill(
    template: string,
    write?: (value: unknown) => string,
  ): { text: string; missing?: never } | { text?: never; missing: string };
}

/**
 * Starts with `{{run}}`, hexadecimal, which marks what this run creates, `{{digits}}`, the same in
 * digits. `{{fresh}}`, `{{number}}`, an integer of 32 bits, `{{instant}}`, an RFC 3339 date-time with
 * seconds, and secrets differ in each text; the first is always as long. What is `known` stands in
 * bodies as JSON, all else as it is.
 */
export function createValues(run: string): Values {
  const digits = String(Number.parseInt(run, 16));
  const values = new Map<string, unknown>([
    ['run', run],
    ['digits', digits],
  ]);
  const first = toNumber(run, 0);
  const firstVaried = Number.parseInt(run, 16);
  const isOfRun = (number: number) =>
    number > first && number < first + maxNumbers * 10 && (number - first) % 10 === 0;
  const varied = new Map<string, (number: number) => unknown>();
  const secrets = new Set<string>();
  let filled = 0;
  return {
    secrets,
    set: (name, value) => values.set(name, value),
    get: (name) => values.get(name),
    vary: (name, make) => varied.set(name, make),
    fresh: () => run + toFresh(++filled),
    isMarked(value) {
      if (typeof value !== 'string') return isOfRun(Number(value));
      if (secrets.has(value)) return true;
      const text = value.toLowerCase();
      const instant = /^\d{4}-/.test(text) ? (Date.parse(text) - firstInstant) / 1000 : Number.NaN;
      const isOfDay = (day: number) => isOfRun(instant - day * secondsOfDay);
      const days = Array.from({ length: maxInstants }, (_, day) => day);
      return text.includes(run) || text.includes(digits) || days.some(isOfDay);
    },
    fill(template, write) {
      if (template.includes('{{')) filled += 1;
      let missing: string | undefined;
      let instants = 0;
      const counted = new Set<string>();
      // What one text has twice, such as two items of a list, differs too.
      const nextOf = (name: string) =>
        counted.size === counted.add(name).size ? ++filled : filled;
      const ofText = new Map<string, string>();
      // A password that is repeated is the same.
      const toSecret = (name: string) => {
        const secret = ofText.get(name) ?? makeSecret(name.slice(secretPrefix.length));
        ofText.set(name, secret);
        secrets.add(secret);
        return secret;
      };
      // What begins comes before what ends.
      const nextInstant = () => {
        const seconds = toNumber(run, filled) + (instants++ % maxInstants) * secondsOfDay;
        return new Date(firstInstant + seconds * 1000).toISOString();
      };
      const toText = (whole: string, name: string, fallback?: string): string => {
        if (name === 'instant') return nextInstant();
        if (name === 'RUN') return run.toUpperCase();
        if (name.toLowerCase() === 'fresh') {
          const text = toFresh(nextOf('fresh'));
          return name === 'fresh' ? text : text.toUpperCase();
        }
        if (name === 'number') return String(toNumber(run, nextOf(name)));
        if (name.startsWith(secretPrefix)) return toSecret(name);
        if (name.startsWith(variedPrefix))
          return fillVaried(name.slice(variedPrefix.length), firstVaried + nextOf(name));
        const value = varied.get(name)?.(toNumber(run, filled)) ?? values.get(name);
        const isKnown = name.startsWith('known.');
        if (value !== undefined) return isKnown ? (write ?? toJson)(value) : String(value);
        if (fallback !== undefined) {
          const text = decodeURIComponent(fallback).replace(placeholder, toText);
          return isKnown && write ? write(parseJson(text) ?? text) : text;
        }
        missing ??= name;
        return whole;
      };
      const text = template.replace(placeholder, toText);
      return missing === undefined ? { text } : { missing };
    },
  };
}

function toFresh(count: number): string {
  return count.toString(16).padStart(6, '0');
}

const secondsOfDay = 86_400;

/** How many instants of one text differ, each a day later than the one before. */
const maxInstants = 10;

/** How many numbers a run has before they repeat. */
const maxNumbers = 4000;

/** Instants of runs begin here and end within 64 years, in Unix milliseconds. */
const firstInstant = Date.UTC(2031, 0, 1);

/** Thousands for each run, which others are unlikely to have had; none is round, so that rounding shows. */
function toNumber(run: string, count: number): number {
  const first = (Number.parseInt(run, 16) % 50_000) * maxNumbers;
  return (first + (count % maxNumbers)) * 10 + 1_000_007;
}

/**
 * An id that fits a schema and that no deployment is likely to have; the same text gives the same
 * id.
 */
export function unknownId(schema: Schema, text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  if (schema.format === 'uuid')
    return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
  const digits = BigInt(`0x${hash.slice(0, 15)}`);
  const max = toMax(schema);
  return String(
    max < 10n ** 15n
      ? max - (digits % (max / 2n || 1n))
      : 10n ** 14n + (digits % (9n * 10n ** 14n)),
  );
}

/** The largest integer that a schema allows. */
function toMax({ format, maximum, exclusiveMaximum }: Schema): bigint {
  const bounds = [
    format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER,
    maximum,
    (exclusiveMaximum as number) - 1,
  ];
  return BigInt(
    Math.floor(Math.min(...bounds.filter((bound): bound is number => Number.isFinite(bound)))),
  );
}

/** The request of a case without its key; each placeholder has its value. */
export type FilledCase = {
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  marker: string | undefined;
};

/** The request of a case, but for its key. */
export function toRequest(
  { operation, parametersOf, method, form }: Case,
  { path, headers, body, marker }: FilledCase,
  ownHeaders: SentRequest['headers'] | undefined,
): SentRequest {
  const written = writeForm(form, body);
  const isOfForm = headers['Content-Type'] === form?.mediaType;
  const plain = body !== undefined && { body };
  return {
    method,
    headers: {
      ...acceptOf(operation ?? parametersOf),
      ...ownHeaders,
      ...headers,
      ...(written && isOfForm && { 'Content-Type': written.mediaType }),
    },
    path,
    ...(written ? { body: written.body, value: written.value } : plain),
    ...(marker !== undefined && { marker }),
  };
}

/** Writes a JSON body as a form or a file, with its value; undefined if the body is sent unchanged. */
function writeForm(
  form: Content | undefined,
  text: string | undefined,
): { mediaType: string; body: string | Uint8Array; value: unknown } | undefined {
  if (!form || text === undefined) return undefined;
  const value = parseJson(text);
  const written = writeFiles(form, value) ?? writeBody(form, value);
  return written && { ...written, value };
}

/** Asks for any media type where the document describes a success, and none in plain JSON. */
function acceptOf(operation: Operation | undefined): Readonly<Record<string, string>> {
  const types = (operation?.responses ?? []).filter(isSuccess).flatMap(mediaTypesOf);
  const isPlain = types.includes('application/json');
  return types.length > 0 && !isPlain ? { Accept: '*/*' } : {};
}

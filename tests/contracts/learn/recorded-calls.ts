import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { runCommand as fidelity } from '../../../contracts/fidelity/command.ts';
import { runCommand as learn } from '../../../contracts/learn/command.ts';
import { capture } from '../../support/capture.ts';
import { makeFolder } from '../../support/make-folder.ts';
import { toEntry, toHar } from '../har/samples.ts';

type Headers = Readonly<Record<string, string>>;

/** A call of a recording, whose body and answer are JSON; `sent` and `made` are more headers. */
export type RecordedCall = {
  line: `${string} ${string}`;
  status?: number;
  body?: unknown;
  /** The body as it was sent, if it is not JSON. */
  form?: { mimeType: string; text: string };
  json?: unknown;
  /** The answer, if it is not JSON. */
  text?: string;
  mimeType?: string;
  sent?: Headers;
  made?: Headers;
};

type Timing = { start?: number; apart?: number };

/** Writes a recording of calls at an origin, one second apart by default. */
export function toRecording(
  origin: string,
  calls: readonly RecordedCall[],
  { start = Date.UTC(2026, 10, 5, 9), apart = 1000 }: Timing = {},
): string {
  const toPairs = (fields: Headers) =>
    Object.entries(fields).map(([name, value]) => ({ name, value }));
  const toContent = (json: unknown) => ({
    mimeType: 'application/json',
    text: JSON.stringify(json),
  });
  const entries = calls.map((one, index) => {
    const { line, status = 200, json, text = '', mimeType = '', body, form, sent, made } = one;
    const [method, path] = line.split(' ');
    const postData = form ?? (body === undefined ? undefined : toContent(body));
    const content = json === undefined ? { mimeType, text } : toContent(json);
    const toHeaders = (mimeType: string, more: Headers = {}) =>
      toPairs({ ...(mimeType && { 'Content-Type': mimeType }), ...more });
    return toEntry({
      startedDateTime: new Date(start + index * apart).toISOString(),
      request: {
        ...{ method, url: origin + path },
        headers: toHeaders(postData?.mimeType ?? 'application/json', sent),
        ...(postData && { postData }),
      },
      response: {
        ...{ status, headers: toHeaders(content.mimeType, made) },
        content: { size: 1, ...content },
      },
    });
  });
  return toHar(entries);
}

/** Writes a document and its recordings, and gives what learns from these and compares them. */
export function inFolder(
  spec: object,
  origin: string,
  recordings: readonly string[],
  toName = (number: number) => `${number}.har`,
) {
  const folder = makeFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('spec.json'), JSON.stringify(spec));
  const files = recordings.map((_, index) => at(toName(index + 1)));
  for (const [index, file] of files.entries()) writeFileSync(file, recordings[index] ?? '');
  const run = (command: typeof learn, args: readonly string[]) =>
    capture(() =>
      command([...args, '--base-url', origin, '--spec', at('spec.json')], {
        ...{ env: {}, command: 'x' },
      }),
    );
  return {
    at,
    /** Learns from the first recordings, all by default. */
    learn: (count = files.length) =>
      run(learn, [...files.slice(0, count), '--out', at('out.yaml')]),
    /** Compares the last recording with a mock that has what was learned. */
    compare: () => run(fidelity, [...files.slice(-1), '--overlay', at('out.yaml')]),
    report: (...more: string[]) => run(fidelity, [...files, ...more]),
    read: (name = 'out.yaml') => readFileSync(at(name), 'utf8'),
    /** Returns the `x-twin` of each target that was learned. */
    hints(): Record<string, object> {
      const { actions } = load(readFileSync(at('out.yaml'), 'utf8')) as {
        actions: { target: string; update: { 'x-twin': object } }[];
      };
      return Object.fromEntries(actions.map(({ target, update }) => [target, update['x-twin']]));
    },
  };
}

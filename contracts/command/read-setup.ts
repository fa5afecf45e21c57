import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { UsageError } from '../../common/cli/usage-error.ts';
import { membersOf } from '../../common/json.ts';
import { parametersIn } from '../../common/path-template.ts';
import type { Api } from '../../openapi/index.ts';
import type { SetupCall } from '../run/setup-call.ts';
import { findOperation } from '../transcript/recognize.ts';

/** Reads the file of a setup, a list in YAML or JSON. Throws {@link UsageError}. */
export async function readSetup(file: string | undefined, document: Api): Promise<SetupCall[]> {
  if (file === undefined) return [];
  let calls: unknown;
  try {
    calls = load(await readFile(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new UsageError(`--setup ${file} cannot be read: ${why}.`);
  }
  if (!Array.isArray(calls) || calls.length === 0)
    throw new UsageError(
      `--setup ${file} must hold a list of calls, such as "- call: POST /pets".`,
    );
  const known = new Set(['run']);
  return calls.map((given, index) => {
    const fail = (why: string): never => {
      throw new UsageError(`--setup ${file}, call ${index + 1}: ${why}.`);
    };
    const {
      call,
      body,
      values = {},
      undo,
      ...others
    } = membersOf(given) ?? fail('it is no object');
    const [unknown] = Object.keys(others);
    if (unknown !== undefined)
      fail(`there is no "${unknown}". A call has "call", "body", "values" and "undo"`);
    const read = (text: unknown, what: string) => {
      const [, method = '', path = ''] = /^([A-Z]+) (\/\S*)$/.exec(String(text)) ?? [];
      if (path === '') fail(`"${what}" must be a method and a path, such as POST /pets`);
      const open = parametersIn(path);
      const missing = open.find((name) => !known.has(name));
      if (missing !== undefined)
        fail(`no call before gives a value for {${missing}}. Name it in "values" of one`);
      if (!findOperation(document, { method, path: path.split('?')[0] ?? '' }).operation)
        fail(`the document has no ${method} ${path}. Give the path below the base URL`);
      return { method, path };
    };
    const request = read(call, 'call');
    const taken = Object.entries(membersOf(values) ?? fail('"values" must be an object'));
    const [wrong] = taken.find(([, place]) => typeof place !== 'string' || place === '') ?? [];
    if (wrong !== undefined)
      fail(`"${wrong}" in "values" must name a member of the answer, such as owner.login`);
    for (const [name] of taken) known.add(name);
    return {
      ...request,
      ...(body !== undefined && { body }),
      values: Object.fromEntries(taken) as Record<string, string>,
      ...(undo !== undefined && { undo: read(undo, 'undo') }),
    };
  });
}

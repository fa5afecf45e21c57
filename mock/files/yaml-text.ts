import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { DataSyntaxError, locateInYaml, toJsonText } from './data-json.ts';
import type { YamlAnswer, YamlTask } from './yaml-worker.ts';

/** From how many characters on a text is read in a thread of its own: that takes 50 ms to start. */
const minLength = 100_000;

/** A YAML text as JSON. Rejects with {@link DataSyntaxError}. */
export async function yamlToJson(text: string): Promise<string> {
  if (text.length < minLength) return toJsonText(text);
  const { json, problem } = await askWorker({ text });
  if (problem) throw new DataSyntaxError(problem.message, problem);
  return json ?? '';
}

/** Where the values of a valid YAML text begin that pointers lead to, see {@link locateInYaml}. */
export async function findInYaml(
  text: string,
  pointers: readonly string[],
): Promise<Map<string, number>> {
  if (text.length < minLength) return locateInYaml(text, pointers);
  return (await askWorker({ text, pointers })).offsets ?? new Map();
}

/** Has a thread of its own do what takes long, so that requests are answered meanwhile. */
async function askWorker(task: YamlTask): Promise<YamlAnswer> {
  const self = fileURLToPath(import.meta.url);
  const worker = new Worker(new URL(`yaml-worker${extname(self)}`, import.meta.url), {
    workerData: task,
    execArgv: [],
  });
  const { promise, resolve, reject } = Promise.withResolvers<YamlAnswer>();
  worker.once('message', resolve);
  worker.once('error', reject);
  return promise;
}

import { parentPort, workerData } from 'node:worker_threads';
import { DataSyntaxError, locateInYaml, toJsonText } from './data-json.ts';
/** A text to read as JSON, or to find the places in that pointers lead to. */
export type YamlTask = { text: string; pointers?: readonly string[] };

/** What was asked for, or why the text is no data. */
export type YamlAnswer = {
  json?: string;
  offsets?: Map<string, number>;
  problem?: Pick<DataSyntaxError, 'message' | 'at' | 'pointer'>;
};

function answer({ text, pointers }: YamlTask): YamlAnswer {
  if (pointers) return { offsets: locateInYaml(text, pointers) };
  try {
    return { json: toJsonText(text) };
  } catch (error) {
    if (!(error instanceof DataSyntaxError)) throw error;
    const { message, at, pointer } = error;
    return { problem: { message, at, pointer } };
  }
}

parentPort?.postMessage(answer(workerData));

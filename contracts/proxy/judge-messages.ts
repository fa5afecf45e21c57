import type { BaselineEntry } from '../judging/baseline.ts';
import type { Finding } from '../report/events.ts';
import type { RecordedExchange } from '../traffic/recorded-exchange.ts';

/** What the thread that judges is started with. */
export type JudgeSettings = {
  /** The file of the document; the built-in one without it. */
  spec?: string;
  allowRefs?: string | undefined;
  /** The base URL of the target. */
  baseUrl: string;
  keys: readonly { plan?: string; secret: string }[];
  baseline: readonly BaselineEntry[];
  strict: boolean;
  docs?: string;
  /** Where exchanges are written as an HTTP Archive, and what is hidden in it beside keys. */
  har?: { file: string; redact: readonly string[] };
};

/** What the thread is asked for; each question is answered once. */
export type Question =
  | { ask: 'judge'; exchanges: readonly RecordedExchange[] }
  /** The report so far, as text. */
  | { ask: 'render'; format: 'json' | 'html'; dropped: number }
  /** To rest no more. */
  | { ask: 'hurry' }
  /** The report on all, as an object; then the thread writes what is left, and ends. */
  | { ask: 'finish'; dropped: number };

export type Asked = Question & { id: number };

/** What the thread says. */
export type Said =
  | { say: 'ready' }
  | { say: 'finding'; finding: Finding }
  | { say: 'answer'; id: number; value: unknown }
  /** `isExpected`: the message tells a person what to change. */
  | { say: 'failed'; id?: number; message: string; isExpected: boolean };

import type { Call } from './call.ts';

/** All that a server holds: by kind and id, without what changes by itself. */
export type Dump = Record<string, Record<string, unknown>>;

/** The place of a server: where it is installed, keeps its state, and listens. */
export type Place = { installed: string; data: string; port: number; origin: string };

/** A process as `spawn` takes it; `env` is added to that of the lab. */
export type Command = { command: string; args: string[]; env?: Record<string, string> };

/**
 * The judgement of findings: those of a check on some operations, `*` for any, whose answer and
 * message fit.
 * `false` is a false alarm, `arguable` one that the document can be read for and against.
 */
export type Judgement = {
  check: string;
  operations: string[];
  answer?: string;
  message?: string;
  truth: boolean | 'arguable';
  reason: string;
};

/** A server that others wrote, with the document that it is published with. */
export type RealServer = {
  name: string;
  version: string;
  /** Left out unless it is asked for, because of its size. */
  onDemand?: boolean;
  /** Whether the program has to be given, as no registry has it. */
  isGiven?: boolean;
  /**
   * The path before the paths of the document, and a path of the origin that finally answers 200.
   */
  basePath: string;
  ready: string;
  headers: Record<string, string>;
  flags: string[];
  /** Milliseconds after which the server has written what a call leads to. */
  settle: number;
  install: (folder: string, given: string) => Promise<void>;
  /** Writes what the server needs to `data`, and gives the processes that run one after another. */
  start: (place: Place) => Command[];
  seed: (call: Call, place: Place) => Promise<void>;
  dump: (call: Call, place: Place) => Promise<Dump>;
  document: (call: Call, place: Place) => Promise<string>;
  /** Sends the calls of ordinary clients: some 30 that list, create, read, change and delete. */
  use: (call: Call) => Promise<void>;
  /** Tells rows that a change of the run's own things leaves behind, such as an audit log. */
  isSideEffect: (kind: string, row: unknown) => boolean;
  /** Data for a broken deployment of the server: where ids are, and the server's own results. */
  shape: Shape;
  truth: Judgement[];
};

/** How a server answers, as far as a break has to know. */
export type Shape = {
  /** The id in the body of a create or of an item. */
  idOf: (body: unknown) => unknown;
  /** A member that the document requires of items, if it requires any. */
  required?: string;
  deleted: number;
  /** The status of a PUT or PATCH, if the document describes one of an item that can be read. */
  updated?: number;
  /** Whether the document states how an invalid body is refused. */
  refuses: boolean;
  /** Paths of reads that the document describes a 404 for. */
  describes404?: RegExp;
  /** Lists that are read by POST. */
  listsByPost?: RegExp;
};

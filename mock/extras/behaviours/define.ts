import type { Faker } from '@faker-js/faker';
import type { Duration } from '../../clock.ts';
import type { TypesOf, UntypedDocument, UntypedOperation } from './document-types.ts';

// biome-ignore lint/suspicious/noExplicitAny: without the types of a document, values are of any.
type Any = any;

/** The types of an operation's input, and of its answers by status. */
export type OperationTypes = {
  params: object;
  query: object;
  headers: object;
  body: unknown;
  /** The body of its success. */
  success: unknown;
  answers: { [status: number]: unknown };
};

/** The types of a document: of its operations by `operationId` and `METHOD /path`, and of its items. */
export type DocumentTypes = {
  operations: { [name: string]: OperationTypes };
  items: { [collection: string]: object };
};

export type ItemId = string | number | bigint;

/** The items of a collection, by its name as `explain` lists it. */
export interface Items<Item> {
  /** Undefined where no item has the id. */
  get(id: ItemId): Promise<Item | undefined>;
  /** Lists the items whose properties equal all given and defined ones, in order of creation. */
  list(filters?: Readonly<Record<string, unknown>>): Promise<Item[]>;
  /** Adds an item; one without an id gets the next one. Throws where the id is taken. */
  create(item: object): Promise<Item>;
  /** Changes an item by a merge patch (RFC 7396). Throws if it does not exist. */
  patch(id: ItemId, change: object): Promise<Item>;
  /** Puts an item in the place of the one with the id, or adds it. */
  replace(id: ItemId, item: object): Promise<Item>;
  /** Whether there was one. */
  remove(id: ItemId): Promise<boolean>;
}

/** An answer with its status, in place of a body alone; one that is thrown undoes what the call changed. */
export interface Reply<Status extends number = number, Body = unknown> {
  readonly status: Status;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes answers other than the body of the success. */
export interface ToReply<Types extends OperationTypes = UntypedOperation> {
  <Status extends keyof Types['answers'] & number>(
    status: Status,
    body?: Types['answers'][Status],
    headers?: Readonly<Record<string, string>>,
  ): Reply<Status, Types['answers'][Status]>;
  /** An error of status 400 to 599, in the form that the document describes. */
  error(status: keyof Types['answers'] & number, code: string, message: string): Reply;
  /** An example of the document for this operation, by its name. */
  example(name: string): Reply;
}

/** The context of a behaviour or a task. */
export interface Context<Types extends DocumentTypes = UntypedDocument> {
  /** The name of the sandbox that is called. */
  readonly sandbox: string;
  /** The clock of that sandbox. */
  readonly clock: { now(): Date };
  /** Makes data up: the same for the same calls since the sandbox began. */
  readonly faker: Faker;
  /** Stores all changes of a call together when it ends, or none if it throws. */
  items<Name extends keyof Types['items'] & string>(thing: Name): Items<Types['items'][Name]>;
  /** Logs a line at the level `info`. */
  log(...values: readonly unknown[]): void;
  /**
   * Does something later, by the clock of the sandbox: a function, which this process holds, or a
   * task by its name with arguments that JSON can have, which a store and snapshots hold too.
   */
  after(duration: Duration, work: () => unknown): void;
  after(duration: Duration, task: string, args?: object): void;
  /** Does so again and again, until the work gives `false`. */
  every(duration: Duration, work: () => unknown): void;
  every(duration: Duration, task: string, args?: object): void;
  /** Sends a webhook. */
  emit(name: string, payload?: unknown): void;
}

/** A call of an operation, read and validated. */
export interface Call<
  Types extends OperationTypes = UntypedOperation,
  Document extends DocumentTypes = UntypedDocument,
> extends Context<Document> {
  readonly params: Types['params'];
  readonly query: Types['query'];
  /** By their names in lower case. */
  readonly headers: Types['headers'];
  /** The parsed body. Changes before `next()` apply to the mock's own behaviour. */
  readonly body: Types['body'];
  /** The key that was sent; undefined without one. */
  readonly key: { readonly name: string; readonly plan: string } | undefined;
  /**
   * Runs the mock's own behaviour and returns the body of its answer. Throws if the answer is an
   * error, which the caller gets unless it is caught.
   */
  next(): Promise<Types['success']>;
  readonly reply: ToReply<Types>;
}

/** The behaviour of an operation: returns the body of its success, or a reply. */
export type Behaviour<
  Types extends OperationTypes = UntypedOperation,
  Document extends DocumentTypes = UntypedDocument,
> = (call: Call<Types, Document>) => Types['success'] | Reply | Promise<Types['success'] | Reply>;

/** Work that `after` and `every` name. */
export type Task<Document extends DocumentTypes = UntypedDocument> = (
  args: Any,
  context: Context<Document>,
) => unknown;

/** Behaviours by `operationId` or `METHOD /path`, and the tasks that they name. */
export type Behaviours<Types extends DocumentTypes = UntypedDocument> =
  string extends keyof Types['operations']
    ? { tasks?: Tasks<Types>; [name: string]: Behaviour | Tasks<Types> | undefined }
    : { tasks?: Tasks<Types> } & {
        [Name in keyof Types['operations']]?: Behaviour<Types['operations'][Name], Types>;
      };

type Tasks<Types extends DocumentTypes> = { [name: string]: Task<Types> };

/**
 * Gives the behaviours as they are, with the types of a document: of its `paths`, and for
 * `operationId`s of its `operations` too, both as openapi-typescript writes them.
 */
export function defineBehaviours<Paths = unknown, Operations = object>(
  behaviours: Behaviours<NoInfer<TypesOf<Paths, Operations>>>,
): Behaviours {
  return behaviours as Behaviours;
}

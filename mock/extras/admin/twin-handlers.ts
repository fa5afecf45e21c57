import type { Api, DocumentWarning, Operation } from '../../../openapi/index.ts';
import { toErrorAnswer, toJsonAnswer } from '../../answers/answer.ts';
import { isRemoved } from '../../call/deprecation.ts';
import {
  type AnswerSource,
  answerSourceOf,
  findUnchecked,
} from '../../documented/answer-source.ts';
import { toByteText } from '../../json/exact-json.ts';
import type { AdminHandlers } from './admin.ts';

/** The twin's version, the Node that runs it, and the document that it serves. */
export type VersionView = {
  version: string;
  node: string;
  /** When the twin started by the system's clock, in ISO 8601. */
  startedAt: string;
  document: {
    title: string;
    version: string;
    basePath: string;
    /** The version of OpenAPI, or of Swagger, that it was written in. */
    openapi: string;
    /** Its parts that cannot be used. */
    warnings: readonly DocumentWarning[];
    /** The source of each operation's responses, by the operation's id. */
    answers: Record<string, AnswerSource>;
    /** Requirements of operations that the twin does not check. */
    notChecked: string[];
  };
  /** The deployment that the twin behaves as where the interface is silent, if it does. */
  pinned?: { target: string; at: string; silences: string[] };
};

export type TwinHandlersOptions = {
  isReady: () => boolean;
  /**
   * Returns the reason why the store cannot be used now, if any; undefined for a store that always
   * can.
   */
  storeProblem: (() => Promise<string | undefined>) | undefined;
  /** The admin's own document, as JSON text. */
  description: string;
  /** The version of the twin. */
  version: string;
  startedAt: Date;
  /** The document that is served. */
  document: Api;
  /** Stops the twin. */
  shutdown: () => void;
};

/** An operation of the admin, as its index shows it. */
type OperationView = { method: string; path: string; summary: string };

/**
 * Tell of the twin and whether it is ready, bring a sandbox back to the start, and stop the twin.
 */
export function createTwinHandlers({
  isReady,
  storeProblem,
  description,
  version,
  startedAt,
  document,
  shutdown,
}: TwinHandlersOptions): AdminHandlers {
  const notReady = toErrorAnswer('starting_or_stopping', 'The mock is not ready. Try again.', {
    'Retry-After': '1',
  });
  const { title, version: documentVersion, basePath, operations, written } = document;
  const answers = Object.fromEntries(
    operations.map((operation) => [operation.id, answerSourceOf(operation)]),
  );
  const described = { status: 200, json: toByteText(description) };
  const served = {
    title,
    version: documentVersion,
    basePath,
    openapi: written.version,
    warnings: written.warnings,
    answers,
    notChecked: findUnchecked(document),
  };
  const view: VersionView = {
    version,
    node: process.version,
    startedAt: startedAt.toISOString(),
    document: served,
    ...(document.pinned && {
      pinned: {
        ...document.pinned,
        silences: document.silences.filter(({ pin }) => pin).map(({ id }) => id),
      },
    }),
  };
  return {
    getHealth: async () => {
      if (!isReady()) return notReady;
      const problem = await storeProblem?.();
      return problem === undefined
        ? toJsonAnswer({ status: 'ready' })
        : toErrorAnswer('store_unavailable', problem);
    },
    getVersion: () => toJsonAnswer(view),
    reset: async ({ sandbox }) => {
      await sandbox.reset();
      return toJsonAnswer({ status: 'reset' });
    },
    shutdown({ response }) {
      response.shouldKeepAlive = false;
      response.once('close', shutdown);
      return toJsonAnswer({ status: 'stopping' }, 202);
    },
    listOperations: () => toJsonAnswer({ operations: toOperationList(description) }),
    getDescription: () => described,
  };
}

function toOperationList(description: string): OperationView[] {
  const { paths } = JSON.parse(description) as {
    paths: Record<string, Record<string, { summary?: string }>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { summary }]) =>
      summary === undefined ? [] : [{ method: method.toUpperCase(), path, summary }],
    ),
  );
}

/** The operations of the API, in the order of the document. */
export type ApiOperationsView = { operations: ApiOperationView[] };

type ApiOperationView = {
  id: string;
  method: string;
  /** Below the base path, with its parameters in braces. */
  path: string;
  deprecated: boolean;
  /** When a deprecated operation is removed, as ISO 8601; null where the document gives no date. */
  sunset: string | null;
  /** Whether it is removed by the sandbox's clock. */
  removed: boolean;
};

/** List the operations of the API, with what changes as the clock moves. */
export function createOperationHandlers({ operations }: Api): AdminHandlers {
  return {
    listApiOperations({ sandbox }) {
      const now = sandbox.clock.now();
      const view: ApiOperationsView = { operations: operations.map((one) => toView(one, now)) };
      return toJsonAnswer(view);
    },
  };
}

function toView(operation: Operation, now: number): ApiOperationView {
  const { id, method, path, deprecated, sunset } = operation;
  return {
    id,
    method,
    path,
    deprecated,
    sunset: deprecated && sunset !== undefined ? new Date(sunset).toISOString() : null,
    removed: isRemoved(operation, now),
  };
}

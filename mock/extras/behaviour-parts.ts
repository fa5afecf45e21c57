import type { Request, Response } from 'express';
import { messageOf, toVisible } from '../../common/look/visible.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { toKey } from '../../openapi/model/operation.ts';
import {
  type Answer,
  bodyOf,
  sentStatus,
  type TextAnswer,
  toErrorAnswer,
  toOutOfRoomAnswer,
} from '../answers/answer.ts';
import { createHeadBehaviour } from '../behaviours/read.ts';
import type { Step } from '../call/steps.ts';
import type { ExtraParts, RoutesOptions } from '../extra.ts';
import { isSentByMock } from '../http/guard-request.ts';
import { localsOf } from '../http/locals.ts';
import { createToTyped } from '../http/parameters/typed-value.ts';
import { traceOf } from '../journal/trace.ts';
import type { CompileSchema } from '../json/validator.ts';
import type { Emit } from '../sandboxes/run-task.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import { OutOfRoomError, StoreUnavailableError } from '../state/store.ts';
import { UseError } from './behaviours/context.ts';
import type { Call } from './behaviours/define.ts';
import { createToAnswer, createToReply, OwnReply, Refusal } from './behaviours/own-answers.ts';
import { createToItems } from './behaviours/own-items.ts';
import { type OwnBehaviour, type OwnBehaviours, usedIn } from './behaviours/read-behaviours.ts';
import { createRunner, type Run } from './behaviours/run.ts';
import { whereIs } from './behaviours/where.ts';

/** Returns the parts by which the user's own behaviours change the calls of a document. */
export function toBehaviourParts(
  own: OwnBehaviours,
  { served, host: { log, siblings } }: RoutesOptions,
): ExtraParts {
  let send: Emit | undefined;
  const { run, tasks } = createRunner({
    toItems: createToItems({ ...served, siblings }),
    tasksOf: (sandbox) => ({ ...own.tasks, ...usedIn(sandbox)?.tasks }),
    taskNames: new Set([...Object.keys(own.tasks), ...own.used.tasks]),
    emit: () => send,
    log,
  });
  const known = new Set([...own.operations.keys(), ...own.used.operations]);
  const find = (operation: Operation, sandbox: Sandbox) =>
    usedIn(sandbox)?.operations.get(toKey(operation)) ?? own.operations.get(toKey(operation));
  const toFailed = (error: unknown, { name, at }: OwnBehaviour): Answer => {
    const isUse = error instanceof UseError;
    const place = (isUse ? error.at : undefined) ?? whereIs(error) ?? at;
    const sentence = isUse ? error.message : `It threw: ${messageOf(error)}`;
    const message = toVisible(`The behaviour ${name} (${place}) failed. ${sentence}`);
    log.error(message);
    return toErrorAnswer('behaviour_failed', message);
  };
  return {
    tasks,
    mountInFront(_, extras) {
      send = extras.find((one) => one.emit)?.emit;
    },
    steps: [
      {
        phase: 'around behaviour',
        order: 20,
        of(operation, { bind }) {
          const target = operation.answersAs ?? operation;
          if (!known.has(toKey(target))) return undefined;
          const act = createOwnStep(target, { ...served, run, find, toFailed });
          if (target === operation) return act;
          const made = bind(target);
          return createHeadBehaviour((call) => act(call, made), operation);
        },
      },
    ],
  };
}

type OwnOptions = {
  document: Api;
  compileSchema: CompileSchema;
  run: Run;
  find: (operation: Operation, sandbox: Sandbox) => OwnBehaviour | undefined;
  toFailed: (error: unknown, behaviour: OwnBehaviour) => Answer;
};

function createOwnStep(operation: Operation, options: OwnOptions): Step<'around behaviour'> {
  const { run, find, toFailed } = options;
  const toAnswer = createToAnswer(operation, options);
  const reply = createToReply(operation);
  const toValues = createToValues(operation, options);
  return async (call, made) => {
    const { sandbox, key } = localsOf((call.source as Request).res as Response);
    const behaviour = find(operation, sandbox);
    if (!behaviour) return made(call);
    const { path, query } = call.parameters ?? {};
    const given = {
      params: toValues('path', { ...call.params, ...path }),
      query: toValues('query', { ...query }),
      headers: call.source.headers as Call['headers'],
      key: key && { name: key.name, plan: key.plan.name },
      reply,
    };
    const answering = run(sandbox, behaviour.name, async (running) => {
      let last: Answer | TextAnswer | undefined;
      const body = structuredClone(call.body);
      const next = async () => {
        running.use();
        const answer = await made({ ...call, body, store: running.store });
        if (sentStatus(answer) >= 400) throw new Refusal(answer);
        last = answer;
        return bodyOf(answer);
      };
      // What is given to all code has properties that are made when they are asked for.
      const context = Object.getOwnPropertyDescriptors(running.context);
      const own = Object.defineProperties({ ...given, body, next }, context) as unknown as Call;
      const result = await behaviour.act(own);
      running.isQuiet = isSentByMock(call.source);
      running.trace = traceOf(call.source.headers);
      const answer = toAnswer(result, last);
      // Nothing is stored or sent after what is not answered.
      if (call.isLook) throw new Refusal(answer);
      return answer;
    });
    const answer = await answering.catch((error: unknown) => {
      try {
        if (error instanceof Refusal) return error.answer;
        if (error instanceof OwnReply) return toAnswer(error, undefined);
        if (error instanceof OutOfRoomError) return toOutOfRoomAnswer(error);
        throw error;
      } catch (unanswered) {
        if (unanswered instanceof StoreUnavailableError) throw unanswered;
        return toFailed(unanswered, behaviour);
      }
    });
    return { ...answer, kind: 'own' };
  };
}

/**
 * Creates a function that turns the text of parameters into numbers, by their schemas; integers are
 * exact.
 */
function createToValues(operation: Operation, { document, compileSchema }: OwnOptions) {
  const toTyped = createToTyped(document, compileSchema);
  return (place: 'path' | 'query', values: Record<string, unknown>) => {
    for (const { name, in: where, schema } of operation.parameters) {
      const value = where === place ? values[name] : undefined;
      const isWritten = typeof value === 'string' || Array.isArray(value);
      if (isWritten && [value].flat().every((one) => typeof one === 'string'))
        values[name] = toTyped(schema, value);
    }
    return values;
  };
}

import { mapLeaves, toJson } from '../../common/json.ts';
import { toExcerpt } from '../../common/look/visible.ts';
import { valueIn } from '../../common/property-path.ts';
import type { Api, Operation } from '../../openapi/index.ts';
import { collectionsOf, findResource } from '../../openapi/model/api.ts';
import type { Case } from '../cases/case.ts';
import { sendableBodyOf } from '../document/sendable-body.ts';
import { type Exchange, isAnswered } from '../transcript/exchange.ts';
import { textOf } from '../transcript/items.ts';
import { findOperation } from '../transcript/recognize.ts';
import { itemPathsOf } from './item-paths.ts';
import type { Session } from './session.ts';
import { type SetupCall, type SetupRequest, setupName } from './setup-call.ts';
import type { Turn } from './turn.ts';

/** Makes the calls of a setup, and returns why the run cannot go on, if one failed. */
export async function makeSetup(session: Session): Promise<string | undefined> {
  const { setupCalls = [] } = session.options;
  for (const [index, call] of setupCalls.entries()) {
    const named = `Call ${index + 1} of --setup (${call.method} ${call.path})`;
    const answer = await session.call(toCase(session, call, `setup ${index + 1}`));
    if (!answer || !isAnswered(answer) || answer.response.status >= 300)
      return `${named} ${toFailure(session, answer)}`;
    for (const [name, place] of Object.entries(call.values)) {
      const value = valueIn(answer.response.json, place.split('.'));
      if (textOf(value) === undefined)
        return `${named}: its answer has no plain value at ${place}.`;
      session.values.set(setupName(name), value);
    }
    adopt(session, answer, call);
  }
  return undefined;
}

function toFailure({ transcript }: Session, answer: Exchange | undefined): string {
  const { response, failure } = answer ?? {};
  if (response) return `answered ${response.status} ${toExcerpt(response.text.trim(), 160)}`;
  return `was not made: ${failure?.message ?? JSON.stringify(transcript.skipped.at(-1)?.reason)}`;
}

/** Adopts what a call made: the item that it created, and the one that is deleted to undo it. */
function adopt(session: Session, answer: Exchange, { undo }: SetupCall): void {
  const { document } = session.transcript;
  const resource = findResource(document, answer.case.operation);
  const { id, item, whose } = answer.made ?? {};
  const isOwn = resource && id !== undefined && whose === 'own';
  const at = { collection: answer.request.path, id: id ?? '', item };
  session.ownership.adopt(isOwn ? itemPathsOf(resource, at) : []);
  if (undo?.method === 'DELETE') session.ownership.adopt([encodeURI(fill(session, undo.path))]);
}

/** Undoes the calls of a setup that say how, the last one first. */
export async function undoSetup({ session }: Turn): Promise<void> {
  const { setupCalls = [] } = session.options;
  const made = session.transcript.exchanges.filter(({ case: one }) => one.isSetup === true);
  for (const [index, call] of [...made.entries()].toReversed()) {
    const { undo } = setupCalls[index] ?? {};
    if (!undo || (call.response?.status ?? 500) >= 300) continue;
    const plain = toCase(session, undo, `undo ${index + 1}`);
    const answer = await session.call({ ...plain, purpose: { kind: 'tidy', id: '' } });
    const status = answer?.response?.status;
    if ((status ?? 500) < 300 || status === 404 || status === 410) delete call.made;
    else call.made = { whose: 'unproven', ...call.made, reason: `its undo answered ${status}` };
  }
}

function toCase(session: Session, { method, path, body }: SetupRequest, name: string): Case {
  const { document } = session.transcript;
  const filled = fill(session, path);
  const { operation } = findOperation(document, { method, path: filled });
  const { mediaType, form } = (operation && sendableBodyOf(operation)) ?? {};
  return {
    id: `${operation?.id}/${name}`,
    ...(operation && { operation: ofCollection(document, operation) }),
    ...{ method, path: encodeURI(filled), credential: 'valid', purpose: { kind: 'call' } },
    ...(body !== undefined && {
      body: toJson(fillIn(session, body)),
      headers: { 'Content-Type': mediaType ?? 'application/json' },
      ...(form && { form }),
    }),
    ...{ isSetup: true, isNeeded: true, isMadeUp: true, priority: 1, writes: true },
  };
}

/** The operation with its kind, which those of nested collections have there alone. */
function ofCollection(document: Api, operation: Operation): Operation {
  const all = collectionsOf(document).flatMap(({ operations }) => Object.values(operations));
  return all.find(({ id }) => id === operation.id) ?? operation;
}

/** The values of a setup in all texts of a body; a text that is one value becomes that value. */
function fillIn(session: Session, body: unknown): unknown {
  return mapLeaves(body, (text) => {
    if (typeof text !== 'string') return text;
    const [, whole] = /^\{([^{}]+)\}$/.exec(text) ?? [];
    return (whole === undefined ? undefined : givenFor(session, whole)) ?? fill(session, text);
  });
}

function fill(session: Session, text: string): string {
  return text.replace(/\{([^{}]+)\}/g, (open, name: string) =>
    String(givenFor(session, name) ?? open),
  );
}

/** A value of the setup; `run` is a text that only this run sends. */
function givenFor({ values }: Session, name: string): unknown {
  return values.get(name === 'run' ? name : setupName(name));
}

import type { Response } from 'express';
import { stringifyExact } from '../../../common/json.ts';
import type { Operation } from '../../../openapi/index.ts';
import type { Step } from '../../call/steps.ts';
import type { Cors } from '../../http/cors.ts';
import type { ToLimitHeaders } from '../../http/limit-headers.ts';
import { localsOf, type RecordExchange } from '../../http/locals.ts';
import { onceOver, slowReaders } from '../../http/slow-readers.ts';
import { fieldsOf } from '../../items/stored-item.ts';
import { noBytes } from '../../json/exact-json.ts';
import { createReadScopes, isInScopes } from '../../state/scopes.ts';
import { type Change, type Feed, feedOf, type Position } from './feed.ts';
import type { ObjectType, ObjectTypes } from './object-types.ts';
import { toObject } from './objects.ts';
import { type IsSelected, readSelectors, SelectorError } from './selectors.ts';
import { toStatus } from './status-answers.ts';

/** Tools that begin and record the response to a watch. */
type WatchTools = { toLimitHeaders: ToLimitHeaders; cors: Cors; record: RecordExchange };

type WatchOptions = { types: ObjectTypes; tools: WatchTools };

/**
 * Creates the step that streams changes of listed objects, line by line, if the query asks for
 * them. Undefined if there is nothing to watch.
 */
export function createWatchStep(
  operation: Operation,
  { types, tools }: WatchOptions,
): Step<'before behaviour'> | undefined {
  const type = types.typeAt(operation.path);
  if (!type || types.actionOf(operation) !== 'list') return undefined;
  const readScopes = createReadScopes(type.resource, operation);
  return (call, next) => {
    const { request, response, query = {} } = call;
    if (query.watch !== 'true' && query.watch !== '1') return next(call);
    try {
      const isSelected = readSelectors(query);
      const scopes = readScopes?.(request.params as Record<string, string>) ?? [];
      const isMatch: IsSelected = (object) => isSelected(object) && isInScopes(object, scopes);
      return stream(response, { type, query, isMatch, tools });
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      // The list refuses it.
      return next(call);
    }
  };
}

type StreamOptions = {
  type: ObjectType;
  query: Readonly<Record<string, string>>;
  isMatch: IsSelected;
  tools: WatchTools;
};

async function stream(
  response: Response,
  { type, query, isMatch, tools }: StreamOptions,
): Promise<void> {
  const { sandbox, window } = localsOf(response);
  const { store, clock } = sandbox;
  const { name } = type.resource;
  const feed = feedOf({ sandbox, clock });
  const given = Number(query.resourceVersion ?? 0);
  const fields = [
    ...['Content-Type', 'application/json', 'Cache-Control', 'no-store'],
    ...tools.toLimitHeaders(sandbox, window),
    ...tools.cors.headers,
  ];
  /** Writes once the reader has read what was written before; gives whether the stream goes on. */
  const write = async (event: string, object: unknown) =>
    !response.writableEnded &&
    (response.write(`${stringifyExact({ type: event, object })}\n`) ||
      slowReaders.hasDrained(response));

  const last = given > 0 ? given : feed.version;
  const all = given > 0 ? [] : await store.list(name);
  response.writeHead(200, fields);
  response.flushHeaders();
  tools.record(
    response,
    { step: 'behaviour', kind: 'list' },
    { status: 200, fields, content: noBytes },
  );
  const end = () => {
    response.end();
    slowReaders.follow(response);
  };
  const pump = createPump(
    { feed, position: { version: last, number: 0 }, write, end },
    (change) => change.collection === name && isMatch(change.object),
  );
  const stops = [sandbox.journal.onClose(end)];
  const seconds = Number(query.timeoutSeconds ?? 0);
  const time = Math.min(seconds * 1000, longestTimer);
  const timer = seconds > 0 ? setTimeout(end, time).unref() : undefined;
  onceOver(response, () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  });
  for (const json of all) {
    const object = toObject(type, fieldsOf(json));
    if (isMatch(object) && !(await write('ADDED', object))) return;
  }
  if (query.sendInitialEvents === 'true') await write('BOOKMARK', toBookmark(type, last));
  if (response.closed) return;
  stops.push(feed.subscribe(pump));
  pump();
}

/** The longest time that a timer of Node waits: a longer one ends at once. */
const longestTimer = 2 ** 31 - 1;

type PumpOptions = {
  feed: Feed;
  position: Position;
  write: (event: string, object: unknown) => Promise<boolean>;
  end: () => void;
};

/** Creates a writer of the changes not written yet, one after another, as fast as they are read. */
function createPump(
  { feed, position: first, write, end }: PumpOptions,
  isMatch: (change: Change) => boolean,
): () => void {
  let position = first;
  let isPumping = false;
  const pump = async () => {
    for (;;) {
      const next = feed.after(position);
      if (!next) {
        const message = 'The version is too old, and what changed since is forgotten.';
        await write('ERROR', toStatus({ status: 410, message }));
        return end();
      }
      const { change } = next;
      if (!change) break;
      position = next.position;
      if (isMatch(change) && !(await write(change.type, change.object))) return;
    }
    isPumping = false;
  };
  return () => {
    if (isPumping) return;
    isPumping = true;
    void pump();
  };
}

/** Returns the bookmark that ends the initial objects of a watch. */
function toBookmark({ kind, apiVersion }: ObjectType, version: number) {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return { kind, apiVersion, metadata: { resourceVersion: String(version), annotations } };
}
